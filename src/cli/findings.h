// Findings: what `vyre tune` has found so far. It is shown once: when the command is done, or as
// the last words of one that is interrupted while it can do nothing else.

#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "cli/tune_report.h"

namespace vyre::cli {

class Findings {
 public:
  Findings(std::vector<std::string> kernels, bool as_json)
      : kernels_(std::move(kernels)), as_json_(as_json) {}

  // These belong to the thread that tunes.
  void note(const std::string& name, const Progress& progress);  // of the kernel at hand
  void add(TunedKernel kernel);
  // All kernels follow once more, for another device.
  void expect_again();
  const std::vector<TunedKernel>& all() const { return all_; }
  void show();
  // Which command goes on, if not all kernels are done.
  Expected<void> check_complete() const;

  // On any thread: what was found, also of the kernel at hand, and which command goes on.
  void show_as_last_words();

 private:
  void print() const;
  void print_tables() const;
  Expected<void> check_done(std::size_t done) const;

  std::vector<std::string> kernels_;
  std::size_t devices_ = 1;
  bool as_json_;
  std::mutex mutex_;
  std::vector<TunedKernel> all_;
  std::string at_hand_;  // what is known of the kernel at hand; empty: nothing
  bool is_shown_ = false;
};

}  // namespace vyre::cli
