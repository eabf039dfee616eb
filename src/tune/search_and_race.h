// SearchAndRace: what a campaign does next, one answer of the evaluator at a time.
//
// Whenever a worker is free, the strategy is asked for one configuration. Each newcomer is admitted
// (compiled and verified) and screened until it is known whether it may be the fastest. When the
// search ends, those that are still in race for the decision; then the winner and the default run
// side by side, and the gain is what these pairs show. All that is read of a clock is the time of
// the last answer, so the same answers lead to the same questions.
//
// Belongs to one thread at a time.

#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "tune/course.h"
#include "tune/first_speed.h"
#include "tune/history.h"
#include "tune/pairs.h"

namespace vyre {

class SearchAndRace final : public Course {
 public:
  // All must outlive this.
  SearchAndRace(const SearchTask& task, Evaluator& evaluator, Strategy& strategy,
                const CampaignOptions& options);

  // Takes one answer. False: nothing is left to do.
  Expected<bool> step() override;
  Expected<CampaignReport> report() override;

 private:
  Expected<void> keep_busy();
  Expected<std::vector<std::uint64_t>> ask();
  Expected<std::optional<StopReason>> why_stop();
  void settle(std::span<const std::uint64_t> wanted);
  void tell(std::uint64_t index, const Result& result);
  void end_search(StopReason reason);
  Expected<void> decide();
  Expected<void> start(const Work& work);
  Expected<void> take_answer();
  Expected<void> take(const Answer& answer);
  Expected<void> admitted(const Answer& answer);
  Expected<void> sampled(const Answer& answer);
  Expected<void> failed(const Answer& answer);
  void give_up();
  void note_expectation();
  bool is_under_way(const Work& work) const;
  bool is_timing() const;
  std::size_t candidates_under_way() const;
  bool is_converged() const;
  Progress progress() const;
  double until() const;
  double search_end() const;
  double race_end() const;
  double pairs_seconds() const;

  const SearchTask& task_;
  Evaluator& evaluator_;
  Strategy& strategy_;
  const CampaignOptions& options_;
  Race race_;
  Pairs pairs_;
  double kernel_start_;  // the evaluator's kernel_seconds when the campaign began
  double clock_ = 0;     // when the last answer came
  CampaignReport report_;
  FirstSpeed speed_;
  double best_ns_ = std::numeric_limits<double>::infinity();
  std::uint64_t best_at_ = 0;  // evaluations when it last became 1 % better
  bool knows_gain_ = false;
  std::uint64_t unworthy_ = 0;            // asks in a row that promised less
  std::uint64_t begun_ = 0;               // configurations
  std::uint64_t shown_ = 0;               // evaluations, when progress was last told
  std::vector<Work> under_way_;           // started and not answered
  std::vector<std::uint64_t> newcomers_;  // in the race, and not yet told to the strategy
  std::unordered_map<std::uint64_t, Result> costs_;  // of what was begun, so far
  bool is_asking_ = true;
  bool is_deciding_ = false;  // the search is over
  bool is_raced_out_ = false;
  std::deque<std::uint64_t> waiting_;  // for their turn in this round of the final race
};

}  // namespace vyre
