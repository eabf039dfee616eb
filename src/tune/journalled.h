// Journalled: an evaluator that answers from a journal as long as it can, then from another
// evaluator, whose answers it writes down.
//
// A campaign asks by the answers and clocks that it was given, so on top of this it goes the same
// way again up to where it was interrupted. What was under way then is begun again, and it goes on
// from there.

#pragma once

#include <vector>

#include "tune/journal.h"

namespace vyre {

class Journalled final : public Evaluator {
 public:
  // All must outlive this. `space` tells the values of each configuration that is begun.
  Journalled(Evaluator& inner, Journal& journal, const space::Space& space);

  std::size_t workers() const override { return inner_.workers(); }
  bool is_disturbed_by_caller() const override { return inner_.is_disturbed_by_caller(); }
  bool is_warm() const override { return inner_.is_warm(); }
  Expected<void> start(const Work& work) override;
  Expected<std::optional<Answer>> next(double until = kNoLimit) override;
  void give_up() override;
  // Goes on from where the journal ended.
  double now_seconds() const override;
  double kernel_seconds() const override { return inner_.kernel_seconds(); }

  bool is_replaying() const { return next_ < journal_.lines().size(); }

 private:
  Expected<void> go_on();
  Expected<void> start_inner(const Work& work);
  Expected<std::optional<Answer>> replay(double until);
  bool take(const Work& work);
  void skip_begins();

  Evaluator& inner_;
  Journal& journal_;
  const space::Space& space_;
  std::size_t next_ = 0;  // line of the journal
  double replayed_seconds_ = 0;
  double inner_start_ = 0;
  std::vector<Work> replayed_;  // started, and not answered by the journal so far
};

}  // namespace vyre
