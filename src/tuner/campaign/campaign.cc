#include "vyre/campaign.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "tuner/campaign/history.h"
#include "tuner/campaign/journalled.h"

namespace vyre::tuner {
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

class Campaign {
 public:
  Campaign(const SearchTask& task, Evaluator& evaluator, Strategy& strategy,
           const CampaignOptions& options)
      : task_(task),
        evaluator_(evaluator),
        strategy_(strategy),
        options_(options),
        race_(race_of(options.race, options.strategy)) {}

  Expected<CampaignReport> run() {
    VYRE_TRY_VOID(search());
    // Who was asked to stop goes on searching when resumed: a final race would be in the way.
    if (report_.stopped != StopReason::asked) VYRE_TRY_VOID(decide());
    return report();
  }

 private:
  Expected<void> search() {
    for (;;) {
      const auto asked = strategy_.ask(evaluator_.ahead());
      if (asked.empty()) {
        report_.stopped = StopReason::exhausted;
        return {};
      }
      note_expectation();
      evaluator_.announce(asked);
      for (const std::uint64_t index : asked) {
        VYRE_TRY_VOID(evaluate(index));
        if (const auto reason = why_stop()) {
          report_.stopped = *reason;
          return {};
        }
      }
    }
  }

  void note_expectation() {
    const auto gain = strategy_.expected_gain();
    knows_gain_ = gain.has_value();
    unworthy_ = gain && *gain * kHorizon < kWorthwhile ? unworthy_ + 1 : 0;
  }

  Expected<void> evaluate(std::uint64_t index) {
    ++report_.evaluations;
    VYRE_TRY(Status status, evaluator_.prepare(index));
    if (status == Status::ok) {
      VYRE_TRY(status, evaluator_.verify(index));
    }
    if (status != Status::ok) return failed(index, status);
    race_.add(candidate(index));
    VYRE_TRY_VOID(screen());
    if (race_.find(index)->fate == Fate::failed) return {};
    const double ns = race_.find(index)->elapsed.ns;
    strategy_.tell(index, {Status::ok, ns / 1e6});
    if (ns < best_ns_ * (1 - kWorthwhile)) best_at_ = report_.evaluations;
    best_ns_ = std::min(best_ns_, ns);
    return {};
  }

  Candidate candidate(std::uint64_t index) const {
    Candidate out;
    if (task_.candidate) out = task_.candidate(index);
    out.id = index;
    out.is_default = index == task_.default_index;
    return out;
  }

  // Until it is known whether the newcomer may be the fastest.
  Expected<void> screen() {
    for (auto round = race_.screen(); !round.empty(); round = race_.screen()) {
      VYRE_TRY_VOID(sample(round));
    }
    return {};
  }

  Expected<void> sample(const std::vector<std::uint64_t>& round) {
    for (const std::uint64_t id : round) {
      VYRE_TRY(const Result result, evaluator_.sample(id));
      if (result.status == Status::ok) {
        race_.tell(id, result.time_ms * 1e6);
      } else {
        race_.fail(id);
        VYRE_TRY_VOID(failed(id, result.status));
      }
    }
    return {};
  }

  Expected<void> failed(std::uint64_t index, Status status) {
    report_.failures.push_back({index, status});
    strategy_.tell(index, {status, 0});
    if (index != task_.default_index) return {};
    return rejected(
        "{}: the default configuration ({}) failed with \"{}\"; nothing can be compared with it: "
        "mend it first",
        task_.name, to_string(task_.space.config_at(index)), fair::to_string(status));
  }

  std::optional<StopReason> why_stop() {
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

  bool is_converged() const {
    if (records_space(options_.strategy)) return false;
    if (knows_gain_) return unworthy_ >= kHorizon;
    return report_.evaluations >= best_at_ + std::max(kPatience, best_at_);
  }

  Progress progress(double seconds) const {
    const Standing* standard = race_.find(task_.default_index);
    const auto outcome = race_.outcome();
    return {.evaluations = report_.evaluations,
            .failures = report_.failures.size(),
            .seconds = seconds,
            .default_ns = standard == nullptr ? 0 : standard->elapsed.ns,
            .best_ns = outcome ? outcome->elapsed.ns : 0,
            .best = outcome ? outcome->winner : task_.default_index};
  }

  // The final race, among those that are still in; the default too, whose time is to be known.
  Expected<void> decide() {
    const double limit = options_.budget.seconds;
    for (auto round = race_.next_round(); !round.empty(); round = race_.next_round()) {
      VYRE_TRY_VOID(sample(round));
      if (limit > 0 && evaluator_.now_seconds() >= limit) break;
    }
    while (race_.find(task_.default_index)->samples_ns.size() < options_.race.first_samples) {
      const std::size_t before = race_.find(task_.default_index)->samples_ns.size();
      VYRE_TRY_VOID(sample({task_.default_index}));
      const Standing* standard = race_.find(task_.default_index);
      if (standard->fate == Fate::failed) break;
      if (standard->samples_ns.size() == before && standard->warm_up_samples == 0) break;
    }
    return {};
  }

  Expected<CampaignReport> report() {
    const auto outcome = race_.outcome();
    if (!outcome) {
      return rejected("{}: no configuration could be measured; check the kernel", task_.name);
    }
    report_.outcome = *outcome;
    report_.default_elapsed = race_.find(task_.default_index)->elapsed;
    report_.best = outcome->winner;
    report_.elapsed = outcome->elapsed;
    if (report_.default_elapsed.ns > 0 && report_.elapsed.ns > report_.default_elapsed.ns) {
      report_.best = task_.default_index;
      report_.elapsed = report_.default_elapsed;
    }
    report_.standings.assign(race_.standings().begin(), race_.standings().end());
    report_.seconds = evaluator_.now_seconds();
    report_.kernel_seconds = evaluator_.kernel_seconds();
    return std::move(report_);
  }

  const SearchTask& task_;
  Evaluator& evaluator_;
  Strategy& strategy_;
  const CampaignOptions& options_;
  Race race_;
  CampaignReport report_;
  double best_ns_ = std::numeric_limits<double>::infinity();
  std::uint64_t best_at_ = 0;  // evaluations when it last became 1 % better
  bool knows_gain_ = false;
  std::uint64_t unworthy_ = 0;  // asks in a row that promised less
};

// One line that tells this campaign from all others.
std::string identity_of(const SearchTask& task, const CampaignOptions& options, std::size_t ahead) {
  return fmt::format("{} {} space={} default={} strategy={} seed={} ahead={}", task.name,
                     task.identity, digest_of(task.space), task.default_index, options.strategy,
                     options.seed, ahead);
}

// A campaign that goes on knows what it knew when it began: other failures would lead it another
// way than its journal.
Expected<std::vector<Failure>> known_failures(const CampaignOptions& options, Journal& journal) {
  std::vector<Failure> known;
  for (const Answer& answer : journal.answers()) {
    if (answer.question != Question::known) return known;
    known.push_back({answer.index, answer.result.status});
  }
  for (const Failure& failure : options.known_failures) {
    if (std::ranges::find(known, failure.index, &Failure::index) != known.end()) continue;
    VYRE_TRY_VOID(journal.append({Question::known, failure.index, {failure.status, 0}, 0}));
    known.push_back(failure);
  }
  return known;
}

void tell_failures(const SearchTask& task, std::span<const Failure> failures, Strategy& strategy) {
  for (const Failure& failure : failures) {
    if (failure.index != task.default_index) strategy.tell(failure.index, {failure.status, 0});
  }
}

std::vector<std::uint64_t> start_of(const SearchTask& task, const CampaignOptions& options) {
  std::vector<std::uint64_t> start{task.default_index};
  for (const std::uint64_t seed : options.seeds) {
    if (std::ranges::find(start, seed) == start.end()) start.push_back(seed);
  }
  return start;
}

}  // namespace

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::budget:
      return "budget spent";
    case StopReason::converged:
      return "no further gain expected";
    case StopReason::exhausted:
      return "whole space tried";
    case StopReason::asked:
      return "stopped";
  }
  return "?";
}

Expected<CampaignReport> run_campaign(const SearchTask& task, Evaluator& evaluator,
                                      const CampaignOptions& options) {
  const Budget& budget = options.budget;
  if (!(budget.seconds > 0) && budget.evaluations == 0 && !records_space(options.strategy)) {
    return bad_inputs("{}: the budget is empty; give seconds or evaluations", task.name);
  }
  VYRE_TRY(auto strategy, make_strategy(options.strategy, task.space,
                                        {.seed = options.seed, .start = start_of(task, options)}));
  if (options.journal.empty()) {
    tell_failures(task, options.known_failures, *strategy);
    return Campaign(task, evaluator, *strategy, options).run();
  }
  VYRE_TRY(Journal journal,
           Journal::open(options.journal, identity_of(task, options, evaluator.ahead())));
  VYRE_TRY(const std::vector<Failure> known, known_failures(options, journal));
  tell_failures(task, known, *strategy);
  Journalled journalled(evaluator, journal);
  auto report = Campaign(task, journalled, *strategy, options).run();
  if (!report) return report;
  std::uint64_t resumed = 0;
  for (const Answer& answer : journal.answers()) {
    resumed += answer.question == Question::prepare ? 1 : 0;
  }
  report->resumed = std::min(resumed, report->evaluations);
  if (report->stopped != StopReason::asked) VYRE_TRY_VOID(journal.finish());
  return report;
}

}  // namespace vyre::tuner
