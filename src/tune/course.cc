#include "tune/course.h"

#include <algorithm>

#include "base/error.h"
#include "tune/default_code.h"

namespace vyre {

namespace {

// The larger one of the default's and the winner's.
double slowdown(const SearchTask& task, const Pairs& pairs, const CampaignReport& report) {
  double out = 1;
  for (const std::uint64_t index : {task.default_index, report.best}) {
    const auto known = std::ranges::find(
        report.standings, index, [](const Standing& standing) { return standing.candidate.id; });
    const std::span<const double> others =
        known == report.standings.end() ? std::span<const double>() : known->samples_ns;
    out = std::max(out, slowdown_of(pairs.samples_ns(index), others));
  }
  return out;
}

}  // namespace

Candidate candidate_of(const SearchTask& task, std::uint64_t index) {
  Candidate out;
  if (task.candidate) out = task.candidate(index);
  out.id = index;
  out.is_default = index == task.default_index;
  return out;
}

std::unexpected<Error> default_failed(const SearchTask& task, const Answer& answer) {
  const std::string config = to_string(task.space.config_at(task.default_index));
  const std::string code = default_code(answer.result.status);
  if (!answer.why.empty() && answer.result.status != Status::correctness) {
    return fail(ErrorKind::rejected, code, "{}: the default configuration ({}) does not run: {}",
                task.name, config, answer.why);
  }
  return fail(
      ErrorKind::rejected, code,
      "{}: the default configuration ({}) failed with \"{}\"{}{}; nothing can be compared with it: "
      "mend it first",
      task.name, config, recording::to_string(answer.result.status), answer.why.empty() ? "" : ": ",
      answer.why);
}

Expected<void> conclude(const SearchTask& task, const Race& race, CampaignReport& report) {
  const auto outcome = race.outcome();
  if (!outcome) {
    return rejected("{}: no configuration could be measured; check the kernel", task.name);
  }
  report.outcome = *outcome;
  report.default_elapsed = race.find(task.default_index)->elapsed;
  report.best = outcome->winner;
  report.elapsed = outcome->elapsed;
  if (report.default_elapsed.ns > 0 && report.elapsed.ns > report.default_elapsed.ns) {
    report.best = task.default_index;
    report.elapsed = report.default_elapsed;
  }
  report.standings.assign(race.standings().begin(), race.standings().end());
  return {};
}

std::vector<std::uint64_t> rivals_of(const SearchTask& task, const Race& race,
                                     std::optional<std::uint64_t> rival, const Outcome& outcome) {
  std::vector<std::uint64_t> out{task.default_index};
  const auto add = [&](std::uint64_t index) {
    if (std::ranges::find(out, index) == out.end()) out.push_back(index);
  };
  const Standing* former = rival ? race.find(*rival) : nullptr;
  if (former != nullptr && former->fate != Fate::failed) add(*rival);
  add(outcome.winner);
  return out;
}

void conclude_pairs(const SearchTask& task, const Pairs& pairs, bool shares_cores,
                    CampaignReport& report) {
  if (pairs.rounds() == 0) return;
  const double raced_ns = report.elapsed.ns;
  const std::uint64_t raced = report.best;
  for (const std::uint64_t rival : pairs.rivals()) {
    const Gain over = gain_of(pairs.samples_ns(rival), pairs.samples_ns(report.best));
    if (over.times < 1) report.best = rival;
  }
  const auto standard = pairs.samples_ns(task.default_index);
  report.default_elapsed = estimate(standard);
  report.gained = gain_of(standard, pairs.samples_ns(report.best));
  // Within the noise the default stays. A few rounds on a busy machine cannot tell: then the race
  // has the word, because giving up a winner may cost more than keeping one that is no faster.
  const bool is_tied =
      report.best != task.default_index && report.gained.low <= 1 && pairs.rounds() >= Pairs::kMost;
  if (is_tied) report.best = task.default_index;
  if (report.best == task.default_index) report.gained = {};
  // Behind the decision: a load that may have hit one of them only is no reason to give up a
  // winner.
  if (shares_cores) report.gained = under_load(report.gained, slowdown(task, pairs, report));
  report.elapsed = estimate(pairs.samples_ns(report.best));
  if (report.best != raced) {
    report.outcome.winner = report.best;
    report.outcome.tied = {report.best};
    if (is_tied) report.outcome.tied.push_back(raced);
    report.outcome.runner_up = raced;
  }
  // What else ran at the time of the race is told as of now.
  const double now_ns = estimate(pairs.samples_ns(raced)).ns;
  report.drift_since_race = raced_ns > 0 ? now_ns / raced_ns : 1;
}

}  // namespace vyre
