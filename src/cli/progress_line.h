// ProgressLine: one line on a terminal that says how a campaign goes, from its first moment on.
// Standard error that is no terminal gets nothing.

#pragma once

#include <string>
#include <string_view>

#include "vyre/tune.h"

namespace vyre::cli {

class ProgressLine {
 public:
  // `budget`: seconds; 0: no limit. The line is there when this returns.
  ProgressLine(std::string name, double budget);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();  // leaves an empty line

  // The campaign waits, `seconds` after it began. Until something is measured, the line counts
  // them.
  void wait(double seconds);
  void show(const Progress& progress);
  // A line that stays, above this one; also where standard error is no terminal.
  void print_above(std::string_view text);

 private:
  void draw(std::string text);

  std::string name_;
  double budget_;
  bool is_on_terminal_;
  bool has_measured_ = false;
  std::string shown_;
};

}  // namespace vyre::cli
