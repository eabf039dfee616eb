// SearchAndRace: what a campaign does next, one run at a time.
//
// The strategy asks; each newcomer is compiled, verified and screened until it is known whether it
// may be the fastest; when the search ends, those that are still in race for the decision. The same
// answers of the evaluator lead to the same questions.
//
// Belongs to one thread at a time.

#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "tune/course.h"
#include "tune/history.h"

namespace vyre {

class SearchAndRace final : public Course {
 public:
  // All must outlive this.
  SearchAndRace(const SearchTask& task, Evaluator& evaluator, Strategy& strategy,
                const CampaignOptions& options)
      : task_(task),
        evaluator_(evaluator),
        strategy_(strategy),
        options_(options),
        race_(race_of(options.race, options.strategy)),
        kernel_start_(evaluator.kernel_seconds()) {}

  // One run of one configuration: a newcomer is compiled and verified, or one that is in is
  // sampled. False: nothing is left to do.
  Expected<bool> step() override;
  Expected<CampaignReport> report() override;

 private:
  void fill();
  void ask();
  void note_expectation();
  Expected<bool> admit();
  void settle_newcomer();
  Expected<void> sample(std::uint64_t id);
  Expected<void> failed(std::uint64_t index, Status status);
  std::optional<StopReason> why_stop();
  bool is_converged() const;
  Progress progress(double seconds) const;
  std::vector<std::uint64_t> final_round();

  const SearchTask& task_;
  Evaluator& evaluator_;
  Strategy& strategy_;
  const CampaignOptions& options_;
  Race race_;
  double kernel_start_;  // the evaluator's kernel_seconds when the campaign began
  CampaignReport report_;
  double best_ns_ = std::numeric_limits<double>::infinity();
  std::uint64_t best_at_ = 0;  // evaluations when it last became 1 % better
  bool knows_gain_ = false;
  std::uint64_t unworthy_ = 0;             // asks in a row that promised less
  std::deque<std::uint64_t> asked_;        // by the strategy, and not yet tried
  std::optional<std::uint64_t> newcomer_;  // in the race, and not yet told to the strategy
  std::deque<std::uint64_t> waiting_;      // to be sampled, in turn
  bool is_deciding_ = false;               // the search is over
  bool has_raced_ = false;
  bool is_raced_out_ = false;
  std::optional<std::size_t> default_runs_;  // when it was last asked for
};

}  // namespace vyre
