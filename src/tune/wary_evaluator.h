// WaryEvaluator: notes on disk what it is about to try, so that a configuration which takes the
// process with it does so only twice.
//
// Without the note a journal would lead every later start to the same end. Once is not enough to
// blame a configuration: a process may be killed for other reasons.

#pragma once

#include <filesystem>
#include <memory>

#include "vyre/substrate/search.h"

namespace vyre {

class WaryEvaluator final : public Evaluator {
 public:
  // `note`: the file; empty: none. `trusted` is tried whatever the note says: the application has
  // just run it.
  WaryEvaluator(std::unique_ptr<Evaluator> inner, std::filesystem::path note,
                std::uint64_t trusted);
  WaryEvaluator(const WaryEvaluator&) = delete;
  WaryEvaluator& operator=(const WaryEvaluator&) = delete;
  ~WaryEvaluator() override;  // in good order: removes the note

  std::size_t workers() const override { return inner_->workers(); }
  bool is_disturbed_by_caller() const override { return inner_->is_disturbed_by_caller(); }
  bool is_warm() const override { return inner_->is_warm(); }
  Expected<void> start(const Work& work) override;
  Expected<std::optional<Answer>> next(double until = kNoLimit) override;
  void give_up() override;
  void recall(const Answer& answer) override { inner_->recall(answer); }
  double now_seconds() const override { return inner_->now_seconds(); }
  double kernel_seconds() const override { return inner_->kernel_seconds(); }

 private:
  void write_note(const std::string& text) const;

  std::unique_ptr<Evaluator> inner_;
  std::filesystem::path note_;
  std::uint64_t trusted_;
  std::uint64_t suspect_ = 0;
  std::uint32_t deaths_ = 0;     // of processes that were trying `suspect_`
  std::optional<Work> refused_;  // and not yet answered
};

}  // namespace vyre
