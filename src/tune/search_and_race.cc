#include "tune/search_and_race.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace vyre {
namespace {

// The search takes this share of the seconds, the final race the rest.
constexpr double kSearchShare = 0.85;
// "Converged", where the strategy says what it expects of its next configuration: less than 1 % of
// so many of them, and that as many times in a row. On the recorded spaces it then is within 2 % of
// the optimum on average (docs/tuning.md).
constexpr double kWorthwhile = 0.01;
constexpr std::uint64_t kHorizon = 10;
// Where it does not: so many configurations, and as many again as it took to find the best, have
// not made it 1 % faster. Then another 1 % is not to be expected soon.
constexpr std::uint64_t kPatience = 40;

}  // namespace

Expected<bool> SearchAndRace::step() {
  if (waiting_.empty()) fill();
  if (!waiting_.empty()) {
    const std::uint64_t id = waiting_.front();
    waiting_.pop_front();
    VYRE_TRY_VOID(sample(id));
    return true;
  }
  if (is_deciding_) return false;
  settle_newcomer();
  const auto reason = report_.evaluations == 0 ? std::nullopt : why_stop();
  if (!reason) {
    if (asked_.empty()) ask();
    if (!asked_.empty()) return admit();
  }
  report_.stopped = reason.value_or(StopReason::exhausted);
  is_deciding_ = true;
  // A campaign that was asked to stop goes on searching when it is resumed: a final race now would
  // be in the way.
  return report_.stopped == StopReason::asked ? Expected<bool>(false) : step();
}

Expected<CampaignReport> SearchAndRace::report() {
  VYRE_TRY_VOID(conclude(task_, race_, report_));
  report_.seconds = evaluator_.now_seconds();
  report_.kernel_seconds = evaluator_.kernel_seconds() - kernel_start_;
  return std::move(report_);
}

// Takes the members of the next round, if there is one.
void SearchAndRace::fill() {
  std::vector<std::uint64_t> round;
  if (is_deciding_) {
    round = final_round();
  } else if (newcomer_) {
    round = race_.screen();
  }
  waiting_.assign(round.begin(), round.end());
}

void SearchAndRace::ask() {
  const auto asked = strategy_.ask(evaluator_.ahead());
  if (asked.empty()) return;
  note_expectation();
  evaluator_.announce(asked);
  asked_.assign(asked.begin(), asked.end());
}

void SearchAndRace::note_expectation() {
  const auto gain = strategy_.expected_gain();
  knows_gain_ = gain.has_value();
  unworthy_ = gain && *gain * kHorizon < kWorthwhile ? unworthy_ + 1 : 0;
}

Expected<bool> SearchAndRace::admit() {
  const std::uint64_t index = asked_.front();
  asked_.pop_front();
  ++report_.evaluations;
  VYRE_TRY(Status status, evaluator_.prepare(index));
  if (status == Status::ok) {
    VYRE_TRY(status, evaluator_.verify(index));
  }
  if (status == Status::ok) {
    race_.add(candidate_of(task_, index));
    newcomer_ = index;
  } else {
    VYRE_TRY_VOID(failed(index, status));
  }
  return true;
}

// It is known now whether it may be the fastest.
void SearchAndRace::settle_newcomer() {
  if (!newcomer_) return;
  const std::uint64_t index = *std::exchange(newcomer_, std::nullopt);
  const Standing& standing = *race_.find(index);
  if (standing.fate == Fate::failed) return;
  const double ns = standing.elapsed.ns;
  strategy_.tell(index, {Status::ok, ns / 1e6});
  if (ns < best_ns_ * (1 - kWorthwhile)) best_at_ = report_.evaluations;
  best_ns_ = std::min(best_ns_, ns);
}

Expected<void> SearchAndRace::sample(std::uint64_t id) {
  VYRE_TRY(const Result result, evaluator_.sample(id));
  if (result.status == Status::ok) {
    race_.tell(id, result.time_ms * 1e6);
    return {};
  }
  race_.fail(id);
  return failed(id, result.status);
}

Expected<void> SearchAndRace::failed(std::uint64_t index, Status status) {
  report_.failures.push_back({index, status});
  strategy_.tell(index, {status, 0});
  if (index != task_.default_index) return {};
  return default_failed(task_, status);
}

std::optional<StopReason> SearchAndRace::why_stop() {
  const Budget& budget = options_.budget;
  const double seconds = evaluator_.now_seconds();
  if (options_.on_progress && !options_.on_progress(progress(seconds))) return StopReason::asked;
  if (budget.evaluations > 0 && report_.evaluations >= budget.evaluations) {
    return StopReason::budget;
  }
  if (budget.seconds > 0 && seconds >= budget.seconds * kSearchShare) return StopReason::budget;
  if (is_converged()) return StopReason::converged;
  return std::nullopt;
}

bool SearchAndRace::is_converged() const {
  if (records_space(options_.strategy)) return false;
  if (knows_gain_) return unworthy_ >= kHorizon;
  return report_.evaluations >= best_at_ + std::max(kPatience, best_at_);
}

Progress SearchAndRace::progress(double seconds) const {
  const Standing* standard = race_.find(task_.default_index);
  const auto outcome = race_.outcome();
  return {.evaluations = report_.evaluations,
          .failures = report_.failures.size(),
          .seconds = seconds,
          .default_ns = standard == nullptr ? 0 : standard->elapsed.ns,
          .best_ns = outcome ? outcome->elapsed.ns : 0,
          .best = outcome ? outcome->winner : task_.default_index};
}

// Of the candidates that are still in; then of the default, because its time is reported.
std::vector<std::uint64_t> SearchAndRace::final_round() {
  const double limit = options_.budget.seconds;
  if (has_raced_ && limit > 0 && evaluator_.now_seconds() >= limit) is_raced_out_ = true;
  has_raced_ = true;
  if (!is_raced_out_) {
    auto round = race_.next_round();
    if (!round.empty()) return round;
    is_raced_out_ = true;
  }
  const Standing& standard = *race_.find(task_.default_index);
  const std::size_t runs = standard.samples_ns.size() + standard.warm_up_samples;
  const bool is_stuck = std::exchange(default_runs_, runs) == runs;
  if (is_stuck || standard.samples_ns.size() >= options_.race.first_samples) return {};
  return {task_.default_index};
}

}  // namespace vyre
