#include "tune/search_and_race.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "tune/cost.h"
#include "tune/stopwatch.h"

namespace vyre {
namespace {

// "Converged", where the strategy says what it expects of its next configuration: less than 1 % of
// kHorizon of them, kFruitless times in a row. A strategy that expects nothing explores meanwhile,
// and what it then meets may prove it wrong: on recorded spaces ten times in a row left 5 to 7 % of
// the campaigns more than 5 % behind the optimum, twenty times 4 to 5 % (docs/tuning.md).
constexpr double kWorthwhile = 0.01;
constexpr std::uint64_t kHorizon = 10;
constexpr std::uint64_t kFruitless = 20;
// Where it does not: so many configurations, and as many again as it took to find the best, have
// not made it 1 % faster. Then another 1 % is not to be expected soon.
constexpr std::uint64_t kPatience = 40;
// A few rounds of winner and default side by side are always taken, the others as long as they keep
// within this share of the seconds.
constexpr double kShareOfPairs = 0.08;
// What the final race is taken to need: runs of so many finalists, each this often, and this long
// to prepare each of them in one worker. It has a part of the seconds, within these bounds.
constexpr double kFinalists = 6;
constexpr double kRunsOfFinalist = 8;
constexpr double kSecondsToPrepare = 0.03;
constexpr double kLeastShareOfRace = 0.02;
constexpr double kMostShareOfRace = 0.15;

}  // namespace

SearchAndRace::SearchAndRace(const SearchTask& task, Evaluator& evaluator, Strategy& strategy,
                             const CampaignOptions& options)
    : task_(task),
      evaluator_(evaluator),
      strategy_(strategy),
      options_(options),
      race_(race_of(options.race, options.strategy, evaluator.is_warm())),
      kernel_start_(evaluator.kernel_seconds()) {}

Expected<bool> SearchAndRace::step() {
  if (!is_deciding_) {
    VYRE_TRY_VOID(keep_busy());
    if (under_way_.empty()) is_deciding_ = true;
  }
  if (is_deciding_) {
    // A campaign that was asked to stop goes on searching when it is resumed: a final race now
    // would be in the way.
    if (report_.stopped == StopReason::asked) return false;
    VYRE_TRY_VOID(decide());
  }
  if (under_way_.empty()) return false;
  VYRE_TRY_VOID(take_answer());
  return true;
}

Expected<CampaignReport> SearchAndRace::report() {
  VYRE_TRY_VOID(conclude(task_, race_, report_));
  conclude_pairs(task_, pairs_, evaluator_.is_disturbed_by_caller(), report_);
  report_.seconds = evaluator_.now_seconds();
  report_.kernel_seconds = evaluator_.kernel_seconds() - kernel_start_;
  return std::move(report_);
}

// ---- Searching

Expected<void> SearchAndRace::keep_busy() {
  const std::vector<std::uint64_t> wanted = race_.screen();
  settle(wanted);
  std::vector<std::uint64_t> fresh;
  if (!is_timing() || !evaluator_.is_disturbed_by_caller()) {
    VYRE_TRY(fresh, ask());
  }
  if (report_.stopped == StopReason::asked) {
    for (const std::uint64_t id : fresh) strategy_.withdraw(id);
    return {};
  }
  // In this order: a worker that is to time something is not given another configuration.
  for (const std::uint64_t id : wanted) {
    const Work work{Step::sample, id};
    if (!is_under_way(work)) VYRE_TRY_VOID(start(work));
  }
  for (const std::uint64_t id : fresh) VYRE_TRY_VOID(start({Step::admit, id}));
  return {};
}

// Of those that need no further sample it is known now whether they may be the fastest.
void SearchAndRace::settle(std::span<const std::uint64_t> wanted) {
  std::erase_if(newcomers_, [&](std::uint64_t index) {
    const bool is_wanted = std::ranges::find(wanted, index) != wanted.end();
    if (is_wanted || is_under_way({Step::sample, index})) return false;
    const double ns = race_.find(index)->elapsed.ns;
    Result result = costs_[index];
    result.time_ms = ns / 1e6;
    tell(index, result);
    if (options_.on_tried) options_.on_tried({index, result});
    if (ns < best_ns_ * (1 - kWorthwhile)) best_at_ = report_.evaluations;
    best_ns_ = std::min(best_ns_, ns);
    return true;
  });
}

void SearchAndRace::tell(std::uint64_t index, const Result& result) {
  const Stopwatch stopwatch(report_.search_seconds);
  strategy_.tell(index, result);
}

// What the free workers are to try.
Expected<std::vector<std::uint64_t>> SearchAndRace::ask() {
  std::vector<std::uint64_t> out;
  while (is_asking_ && candidates_under_way() + out.size() < evaluator_.workers()) {
    VYRE_TRY(const auto reason, why_stop());
    if (reason) {
      end_search(*reason);
      break;
    }
    const double before = report_.search_seconds;
    std::vector<std::uint64_t> asked;
    {
      const Stopwatch stopwatch(report_.search_seconds);
      asked = strategy_.ask(1, std::max(0.0, search_end() - clock_));
    }
    if (asked.empty()) {
      // Either all are known, or none of the others can end in time.
      const bool is_late = begun_ + options_.known_failures.size() < task_.space.size();
      if (candidates_under_way() + out.size() == 0) {
        end_search(is_late ? StopReason::budget : StopReason::exhausted);
      }
      break;
    }
    note_expectation();
    ++begun_;
    out.push_back(asked.front());
    report_.costs[asked.front()].search_seconds += report_.search_seconds - before;
  }
  return out;
}

Expected<std::optional<StopReason>> SearchAndRace::why_stop() {
  if (begun_ == 0) return std::nullopt;
  const Budget& budget = options_.budget;
  if (options_.on_progress && std::exchange(shown_, report_.evaluations) != report_.evaluations &&
      !options_.on_progress(progress())) {
    return StopReason::asked;
  }
  if (budget.evaluations > 0 && begun_ >= budget.evaluations) return StopReason::budget;
  if (clock_ >= search_end()) return StopReason::budget;
  if (is_converged()) return StopReason::converged;
  return std::nullopt;
}

void SearchAndRace::end_search(StopReason reason) {
  is_asking_ = false;
  report_.stopped = reason;
  if (reason == StopReason::asked) give_up();
}

void SearchAndRace::note_expectation() {
  const auto gain = strategy_.expected_gain();
  knows_gain_ = gain.has_value();
  unworthy_ = gain && *gain * kHorizon < kWorthwhile ? unworthy_ + 1 : 0;
}

bool SearchAndRace::is_converged() const {
  if (records_space(options_.strategy)) return false;
  if (knows_gain_) return unworthy_ >= kFruitless;
  return report_.evaluations >= best_at_ + std::max(kPatience, best_at_);
}

Progress SearchAndRace::progress() const {
  const Standing* standard = race_.find(task_.default_index);
  const auto outcome = race_.outcome();
  return {.evaluations = report_.evaluations,
          .failures = report_.failures.size(),
          .seconds = clock_,
          .default_ns = standard == nullptr ? 0 : standard->elapsed.ns,
          .best_ns = outcome ? outcome->elapsed.ns : 0,
          .best = outcome ? outcome->winner : task_.default_index};
}

// ---- Deciding

// The race, one run at a time; then pairs.
Expected<void> SearchAndRace::decide() {
  if (waiting_.empty() && !is_raced_out_) {
    const auto round = race_.next_round();
    waiting_.assign(round.begin(), round.end());
    is_raced_out_ = waiting_.empty();
  }
  if (!waiting_.empty()) {
    const std::uint64_t id = waiting_.front();
    waiting_.pop_front();
    return start({Step::race, id});
  }
  const auto outcome = race_.outcome();
  if (!outcome) return {};
  const auto rivals = rivals_of(task_, race_, options_.rival, *outcome);
  if (rivals.size() == 1) return {};
  if (!pairs_.has_rivals(rivals)) pairs_.choose(rivals);
  if (pairs_.is_enough(options_.budget.seconds, clock_)) return {};
  return start({Step::pair, pairs_.next()});
}

// ---- Answers

Expected<void> SearchAndRace::start(const Work& work) {
  under_way_.push_back(work);
  return evaluator_.start(work);
}

Expected<void> SearchAndRace::take_answer() {
  VYRE_TRY(const auto answer, evaluator_.next(until()));
  if (answer) return take(*answer);
  clock_ = std::max(clock_, until());
  give_up();
  if (is_deciding_) {
    is_raced_out_ = true;
    waiting_.clear();
  } else {
    is_deciding_ = true;
    if (is_asking_) end_search(StopReason::budget);
  }
  return {};
}

// What is under way is forgotten: neither told nor counted.
void SearchAndRace::give_up() {
  evaluator_.give_up();
  for (const Work& work : under_way_) {
    if (work.step == Step::admit) strategy_.withdraw(work.index);
  }
  under_way_.clear();
}

Expected<void> SearchAndRace::take(const Answer& answer) {
  clock_ = answer.seconds;
  std::erase(under_way_, answer.work);
  Result& cost = costs_[answer.work.index];
  cost.compile_seconds += answer.result.compile_seconds;
  cost.run_seconds += answer.result.run_seconds;
  add_cost(report_.costs[answer.work.index], answer);
  return answer.work.step == Step::admit ? admitted(answer) : sampled(answer);
}

Expected<void> SearchAndRace::admitted(const Answer& answer) {
  ++report_.evaluations;
  if (answer.result.status != Status::ok) return failed(answer);
  race_.add(candidate_of(task_, answer.work.index));
  newcomers_.push_back(answer.work.index);
  return {};
}

Expected<void> SearchAndRace::sampled(const Answer& answer) {
  const std::uint64_t index = answer.work.index;
  if (answer.result.status == Status::ok) {
    report_.is_timed_by_host |= answer.result.is_host_time;
    // Pairs are compared with each other only, as they are.
    if (answer.work.step == Step::pair) {
      pairs_.tell(answer.result.time_ms * 1e6);
    } else {
      race_.tell(index, speed_.ns(answer.result));
    }
    return {};
  }
  race_.fail(index);
  std::erase(newcomers_, index);
  // Another one wins, perhaps after a few more runs.
  is_raced_out_ = false;
  pairs_.choose({});
  return failed(answer);
}

Expected<void> SearchAndRace::failed(const Answer& answer) {
  const std::uint64_t index = answer.work.index;
  report_.failures.push_back({index, answer.result.status, answer.why});
  Result result = costs_[index];
  result.status = answer.result.status;
  tell(index, result);
  if (options_.on_tried) options_.on_tried({index, result, answer.why});
  if (index != task_.default_index) return {};
  return default_failed(task_, answer);
}

bool SearchAndRace::is_under_way(const Work& work) const {
  return std::ranges::find(under_way_, work) != under_way_.end();
}

bool SearchAndRace::is_timing() const {
  return std::ranges::any_of(under_way_, [](const Work& w) { return w.step != Step::admit; });
}

std::size_t SearchAndRace::candidates_under_way() const {
  const auto admits = std::ranges::count(under_way_, Step::admit, &Work::step);
  return newcomers_.size() + static_cast<std::size_t>(admits);
}

// ---- The clock

// How long to wait for an answer. Some are needed, however long they take.
double SearchAndRace::until() const {
  if (!is_deciding_) return search_end();
  if (is_raced_out_) {
    const double limit = options_.budget.seconds;
    return limit > 0 && pairs_.rounds() >= Pairs::kFewest ? limit : Evaluator::kNoLimit;
  }
  return race_.outcome() ? race_end() : Evaluator::kNoLimit;
}

double SearchAndRace::pairs_seconds() const {
  const Standing* standard = race_.find(task_.default_index);
  if (standard == nullptr || best_ns_ > standard->elapsed.ns) return 0;
  const double round = (standard->elapsed.ns + best_ns_) / 1e9;
  const double share = kShareOfPairs * options_.budget.seconds;
  return std::clamp(share, Pairs::kFewest * round, Pairs::kMost * round);
}

double SearchAndRace::race_end() const {
  const double limit = options_.budget.seconds;
  return limit > 0 ? limit - pairs_seconds() : Evaluator::kNoLimit;
}

// Without the default there is nothing to decide.
double SearchAndRace::search_end() const {
  const double limit = options_.budget.seconds;
  const Standing* standard = race_.find(task_.default_index);
  if (!(limit > 0) || standard == nullptr || standard->elapsed.ns <= 0) return Evaluator::kNoLimit;
  const double run = std::min(best_ns_, standard->elapsed.ns) / 1e9;
  const double race = kFinalists * (kRunsOfFinalist * run + kSecondsToPrepare);
  return race_end() - std::clamp(race, kLeastShareOfRace * limit, kMostShareOfRace * limit);
}

}  // namespace vyre
