// WorkgroupCourse: a campaign over workgroup sizes alone, decided by the original's policies.
//
// There are at most seven sizes, so each is compiled and verified first, one per step. Then one
// step lets the policy choose: best_of with the median of a few runs of each size, or
// natural_search, which spends its runs where the policy expects most and knows least. At last the
// chosen size and the default race as in any other campaign. The same answers of the evaluator lead
// to the same questions.
//
// Belongs to one thread at a time.

#pragma once

#include <deque>
#include <vector>

#include "tune/campaign.h"
#include "tune/course.h"
#include "tune/pairs.h"

namespace vyre {

class WorkgroupCourse final : public Course {
 public:
  // All must outlive this. Mode on: best_of; else natural_search.
  WorkgroupCourse(const SearchTask& task, Evaluator& evaluator, const CampaignOptions& options,
                  const std::vector<Failure>& known);

  Expected<bool> step() override;
  Expected<CampaignReport> report() override;

 private:
  class Timer;
  struct Size {
    std::uint64_t index = 0;  // in the space
    Extent extent{1, 1, 1};
    std::vector<double> samples_ns = {};
    bool is_ready = false;  // compiled and verified
    bool has_failed = false;
  };

  Expected<bool> admit();
  Expected<void> choose();
  Expected<bool> race();
  Expected<bool> pair();
  Expected<void> fail(Size& size, const Answer& answer);
  Expected<double> run(Size& size, Step step = Step::sample);
  std::vector<Extent> candidates() const;
  Size& size_of(const Extent& extent);
  bool is_asked_to_stop();
  bool is_budget_spent() const;
  std::uint32_t measurements_within_budget(std::size_t candidates, double run_ns) const;

  const SearchTask& task_;
  Evaluator& evaluator_;
  const CampaignOptions& options_;
  std::vector<Size> sizes_;
  std::deque<std::size_t> untried_;  // of sizes_; the default first
  std::optional<std::uint64_t> runner_up_;
  bool has_chosen_ = false;
  std::optional<Error> evaluator_error_;  // which ends the campaign
  Race race_;
  Pairs pairs_;
  std::deque<std::uint64_t> waiting_;  // to be run in this round
  double kernel_start_;
  CampaignReport report_;
};

}  // namespace vyre
