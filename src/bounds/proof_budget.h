// ProofBudget: a limit on the work of all proofs that a thread makes while the object lives.
//
// Each program has a limit of its own (facts.h). A plan for many programs needs one for all of
// them: with it, hostile programs end in time. Work is counted and not timed, so the answers are
// the same on every machine. When the work is used up, the answer to every question that is not
// plain from the ranges of its atoms is no.

#pragma once

#include <cstdint>

namespace vyre::bounds {

class ProofBudget {
 public:
  // Takes the place of another budget of the thread until it ends.
  explicit ProofBudget(std::uint64_t work);
  ~ProofBudget();
  ProofBudget(const ProofBudget&) = delete;
  ProofBudget& operator=(const ProofBudget&) = delete;

  bool is_used_up() const { return left_ == 0; }
  std::uint64_t left() const { return left_; }

  // Whether the thread has work left: it has no budget, or one that is not used up.
  static bool has_work();
  // Takes work from the thread's budget. A unit takes about 20 ns.
  static void take(std::uint64_t work);

 private:
  std::uint64_t left_;
  ProofBudget* outer_;
};

}  // namespace vyre::bounds
