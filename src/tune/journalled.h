// Journalled: an evaluator that answers from a journal as long as it can, then from another
// evaluator, whose answers it writes down.
//
// Both give the same answers to the same questions, so a campaign on top of it goes the same way
// again up to where it was interrupted, and on from there.

#pragma once

#include <unordered_set>

#include "tune/journal.h"

namespace vyre {

class Journalled final : public Evaluator {
 public:
  // Both must outlive this.
  Journalled(Evaluator& inner, Journal& journal);

  std::size_t ahead() const override { return inner_.ahead(); }
  void announce(std::span<const std::uint64_t> indices) override;
  Expected<Status> prepare(std::uint64_t index) override;
  Expected<Status> verify(std::uint64_t index) override;
  Expected<Result> sample(std::uint64_t index) override;
  // Goes on from where the journal ended.
  double now_seconds() const override;
  double kernel_seconds() const override { return inner_.kernel_seconds(); }

  bool is_replaying() const;

 private:
  Expected<Result> ask(Question question, std::uint64_t index);
  Result recall(const Answer& answer);
  Expected<Result> ask_inner(Question question, std::uint64_t index);

  Evaluator& inner_;
  Journal& journal_;
  std::size_t next_ = 0;  // answer of the journal
  double replayed_seconds_ = 0;
  double inner_start_ = 0;
  std::unordered_set<std::uint64_t> prepared_;  // by `inner_`, in this process
};

}  // namespace vyre
