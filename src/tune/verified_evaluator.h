// VerifiedEvaluator: asks a function of the application about each configuration that another
// evaluator admits.
//
// Candidates may run in other processes, whose memory the function cannot see. So a configuration
// that has run there without a fault runs here once more.

#pragma once

#include <memory>

#include "tune/problem_runner.h"
#include "vyre/tune.h"

namespace vyre {

class VerifiedEvaluator final : public Evaluator {
 public:
  VerifiedEvaluator(std::unique_ptr<Evaluator> inner, std::shared_ptr<Device> device,
                    const Problem& problem, Verifier verify);

  std::size_t workers() const override { return inner_->workers(); }
  bool is_disturbed_by_caller() const override { return inner_->is_disturbed_by_caller(); }
  bool is_warm() const override { return inner_->is_warm(); }
  Expected<void> start(const Work& work) override { return inner_->start(work); }
  Expected<std::optional<Answer>> next(double until = kNoLimit) override;
  void give_up() override { inner_->give_up(); }
  void recall(const Answer& answer) override { inner_->recall(answer); }
  double now_seconds() const override { return inner_->now_seconds(); }
  double kernel_seconds() const override {
    return inner_->kernel_seconds() + runner_.kernel_seconds();
  }

 private:
  Expected<void> judge(Answer& answer);

  std::unique_ptr<Evaluator> inner_;
  space::Space space_;
  ProblemRunner runner_;
  Verifier verify_;
};

}  // namespace vyre
