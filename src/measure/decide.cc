// How a race ends. The fastest candidate and all within the indifference of it are tied, and of
// those the first in the canonical order wins. Only samples that can change this are worth taking.

#include <algorithm>

#include "vyre/substrate/measure.h"

namespace vyre {
namespace {

constexpr double kDriftToName = 0.02;
constexpr std::size_t kSamplesForDrift = 6;
// Of those that are open, only the most promising run in a round: while they make the leader known
// better, others drop out without another sample.
constexpr std::size_t kOpenPerRound = 3;

bool is_before(const Standing* a, const Standing* b) {
  return comes_before(a->candidate, b->candidate);
}

void judge_drift(const Standing& leader, Outcome& outcome) {
  const std::span<const double> samples = leader.samples_ns;
  if (samples.size() < kSamplesForDrift) return;
  const Estimate early = estimate(samples.first(samples.size() / 2));
  const Estimate late = estimate(samples.subspan(samples.size() / 2));
  outcome.drift = late.ns / early.ns;
  const bool is_apart = late.low_ns > early.high_ns || late.high_ns < early.low_ns;
  const bool is_large =
      late.ns > early.ns * (1 + kDriftToName) || early.ns > late.ns * (1 + kDriftToName);
  outcome.has_drifted = is_apart && is_large;
}

}  // namespace

// Open is who comes before the first that is tied for sure, and who may be so much faster than that
// one that it is not tied at all; with them the two that they are compared with.
Race::Members Race::open() const {
  const Standing* best = leader();
  if (best == nullptr) return {};
  const double near = 1 + options_.indifference;
  const auto is_sure = [&](const Standing& s) {
    return &s == best || s.elapsed.high_ns <= near * best->elapsed.low_ns;
  };
  const Standing* first = best;
  for (const Standing& s : standings_) {
    if (s.fate == Fate::racing && is_sure(s) && is_before(&s, first)) first = &s;
  }
  Members members;
  for (const Standing& s : standings_) {
    if (s.fate != Fate::racing || s.samples_ns.size() >= options_.most_samples) continue;
    const bool may_win = is_before(&s, first) && !is_sure(s);
    const bool may_lead =
        &s != first && &s != best && s.elapsed.low_ns * near < first->elapsed.high_ns;
    if (may_win || may_lead) members.push_back(&s);
  }
  if (members.empty()) return members;
  std::sort(members.begin(), members.end(), [](const Standing* a, const Standing* b) {
    return a->elapsed.low_ns != b->elapsed.low_ns ? a->elapsed.low_ns < b->elapsed.low_ns
                                                  : is_before(a, b);
  });
  members.resize(std::min(members.size(), kOpenPerRound));
  for (const Standing* s : {best, first}) {
    if (s->samples_ns.size() < options_.most_samples) members.push_back(s);
  }
  return members;
}

Race::Members Race::tied() const {
  Members members;
  const Standing* best = leader();
  if (best == nullptr) return members;
  for (const Standing& s : standings_) {
    if (s.fate != Fate::racing || s.samples_ns.empty()) continue;
    if (s.elapsed.ns <= best->elapsed.ns * (1 + options_.indifference)) members.push_back(&s);
  }
  std::sort(members.begin(), members.end(), is_before);
  return members;
}

std::optional<Outcome> Race::outcome() const {
  const Members members = tied();
  if (members.empty()) return std::nullopt;
  const Standing& winner = *members.front();
  Outcome outcome{.winner = winner.candidate.id, .elapsed = winner.elapsed, .samples = samples_};
  for (const Standing* s : members) outcome.tied.push_back(s->candidate.id);
  const Standing* second = nullptr;
  for (const Standing& s : standings_) {
    if (&s == &winner || s.fate == Fate::failed || s.samples_ns.empty()) continue;
    if (second == nullptr || s.elapsed.ns < second->elapsed.ns) second = &s;
  }
  if (second != nullptr) outcome.runner_up = second->candidate.id;
  judge_drift(*leader(), outcome);
  return outcome;
}

}  // namespace vyre
