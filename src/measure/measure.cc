// How a race ends. The fastest candidate and all within the indifference of it are tied, and the
// first of the tied ones in the canonical order wins. Only candidates whose next sample could
// change this are run again: see Race::open.

#include "vyre/substrate/measure.h"

#include <algorithm>
#include <cmath>

namespace vyre {
namespace {

// A run on a cold device may be slower than a warm one by the first factor (4 was recorded), and
// faster by the second.
constexpr double kColdSlow = 8.0;
constexpr double kColdFast = 1.35;
// While newcomers are screened, the leader is run again after this many samples: its earlier
// samples may have been lucky, and the device may have changed.
constexpr std::uint64_t kLeaderEvery = 16;
// The usual spread counts as much as this many candidates in the shared spread.
constexpr std::size_t kUsualWeight = 3;
// Most candidates of a kernel run steadily, some jump between two clock levels, and two samples do
// not tell which. So all are taken for nearly as noisy as the noisiest (quantile kCautious). If a
// crowd is left, the lower quantile drops more of it: even if noise drops the best, another one as
// good is left.
constexpr double kCautious = 0.9;
constexpr double kCrowded = 0.7;
constexpr std::size_t kCrowd = 10;
// While a device warms up, each run takes less than this share of the one before.
constexpr double kWarmingUp = 0.95;
constexpr double kDriftToName = 0.02;
constexpr std::size_t kSamplesForDrift = 6;
// Only so many open candidates, the most promising ones, run in a round. Their samples make the
// leader known better, so that others drop out without another sample.
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

// A candidate that was slower than the leader when it was dropped cannot be faster than the winner:
// the device has become slower since. Its run times say nothing about now.
bool is_stale(const Standing& candidate, const Standing& winner) {
  return candidate.fate == Fate::dropped && candidate.elapsed.ns < winner.elapsed.ns;
}

}  // namespace

bool comes_before(const Candidate& a, const Candidate& b) {
  if (a.is_default != b.is_default) return a.is_default;
  if (a.invocations != b.invocations) return a.invocations < b.invocations;
  if (a.local_bytes != b.local_bytes) return a.local_bytes < b.local_bytes;
  return a.id < b.id;
}

void Race::add(const Candidate& candidate) {
  if (!places_.emplace(candidate.id, standings_.size()).second) return;
  standings_.push_back({.candidate = candidate});
  warmth_.emplace_back();
}

const Standing* Race::find(std::uint64_t id) const {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &standings_[found->second];
}

bool Race::tell(std::uint64_t id, double sample_ns) {
  const auto found = places_.find(id);
  if (found == places_.end() || !std::isfinite(sample_ns) || sample_ns <= 0) return false;
  Standing& standing = standings_[found->second];
  Warmth& own = warmth_[found->second];
  ++samples_;
  own.busy_ns += sample_ns;
  const bool is_cold = standing.samples_ns.empty() && own.busy_ns < options_.warm_up_ns &&
                       standing.warm_up_samples < options_.warm_up_samples &&
                       (own.cold_ns == 0 || sample_ns < kWarmingUp * own.cold_ns);
  if (is_cold) {
    ++standing.warm_up_samples;
    own.cold_ns = sample_ns;
  } else {
    standing.samples_ns.push_back(sample_ns);
    own.spread = relative_spread(standing.samples_ns);
  }
  update(found->second);
  if (&standing == leader()) leader_ran_at_ = samples_;
  return true;
}

void Race::update(std::size_t place) {
  Standing& standing = standings_[place];
  const double cold = warmth_[place].cold_ns;
  standing.elapsed = standing.samples_ns.empty()
                         ? Estimate{cold, cold / kColdSlow, cold * kColdFast}
                         : estimate(standing.samples_ns, spread_);
}

void Race::fail(std::uint64_t id) {
  const auto found = places_.find(id);
  if (found == places_.end()) return;
  Standing& failed = standings_[found->second];
  failed.fate = Fate::failed;
  failed.left_at = samples_;
  if (failed.samples_ns.empty()) return;
  // Others may have been dropped because of its times. Those that are slow are dropped again.
  for (Standing& s : standings_) {
    if (s.fate != Fate::dropped) continue;
    s.fate = Fate::racing;
    s.left_at = 0;
  }
}

// Sets the spread of all candidates to a quantile of their own spreads. They are one kernel on one
// device, so their common noise is known sooner than the noise of each.
void Race::share_spread(double quantile) {
  std::vector<double> spreads(kUsualWeight, kUsualSpread);
  for (const Warmth& own : warmth_) {
    if (own.spread) spreads.push_back(*own.spread);
  }
  const auto at = static_cast<double>(spreads.size()) * quantile;
  const auto place_of_it = spreads.begin() + static_cast<std::ptrdiff_t>(at);
  std::nth_element(spreads.begin(), place_of_it, spreads.end());
  spread_ = *place_of_it;
  for (std::size_t place = 0; place < standings_.size(); ++place) {
    if (standings_[place].fate == Fate::racing) update(place);
  }
}

const Standing* Race::leader() const {
  const Standing* best = nullptr;
  for (const Standing& s : standings_) {
    if (s.fate != Fate::racing || s.samples_ns.empty()) continue;
    const bool is_better =
        best == nullptr || s.elapsed.ns < best->elapsed.ns ||
        (s.elapsed.ns == best->elapsed.ns && comes_before(s.candidate, best->candidate));
    if (is_better) best = &s;
  }
  return best;
}

// Drops the candidates that are surely slower than the leader by more than the indifference; others
// may still win a tie. Returns how many are left.
std::size_t Race::drop_slower() {
  const Standing* best = leader();
  if (best == nullptr) return 0;
  const double limit_ns = best->elapsed.high_ns * (1 + options_.indifference);
  std::size_t left = 0;
  for (Standing& s : standings_) {
    if (s.fate != Fate::racing) continue;
    if (s.elapsed.low_ns <= limit_ns || s.samples_ns.size() < options_.fewest_samples) {
      ++left;
    } else {
      s.fate = Fate::dropped;
      s.left_at = samples_;
    }
  }
  return left;
}

void Race::drop_losers() {
  share_spread(kCautious);
  if (drop_slower() <= kCrowd) return;
  share_spread(kCrowded);
  drop_slower();
}

Race::Members Race::with_fewer_than(std::uint32_t samples) const {
  Members members;
  for (const Standing& s : standings_) {
    if (s.fate == Fate::racing && s.samples_ns.size() < samples) members.push_back(&s);
  }
  return members;
}

// Every other round goes backwards. So no candidate always runs after the same neighbour, and over
// two rounds a steady drift slows all candidates alike.
std::vector<std::uint64_t> Race::in_turn(Members members) {
  std::vector<std::uint64_t> ids;
  for (const Standing* s : members) ids.push_back(s->candidate.id);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (is_backwards_) std::reverse(ids.begin(), ids.end());
  is_backwards_ = !is_backwards_;
  return ids;
}

std::vector<std::uint64_t> Race::screen() {
  drop_losers();
  Members members = with_fewer_than(std::min(options_.first_samples, options_.most_samples));
  if (members.empty()) return {};
  const Standing* best = leader();
  if (best != nullptr && samples_ >= leader_ran_at_ + kLeaderEvery &&
      best->samples_ns.size() < options_.most_samples) {
    members.push_back(best);
  }
  return in_turn(std::move(members));
}

bool Race::is_spent() const {
  if (options_.mean_samples <= 0) return false;
  std::size_t counted = 0;
  for (const Standing& s : standings_) counted += s.samples_ns.size();
  return static_cast<double>(counted) >=
         options_.mean_samples * static_cast<double>(standings_.size()) +
             2.0 * options_.most_samples;
}

// Brings back the candidates that were dropped and look as fast as the leader now. They were slower
// when they were dropped; since then the leader's runs have become slower, as a device that drifts
// makes them. Only runs side by side can tell whether such a candidate is fast.
void Race::recall_faster() {
  const Standing* best = leader();
  if (best == nullptr) return;
  for (Standing& s : standings_) {
    if (s.fate != Fate::dropped || s.samples_ns.empty()) continue;
    if (s.samples_ns.size() >= options_.most_samples || s.elapsed.ns > best->elapsed.ns) continue;
    s.fate = Fate::racing;
    s.left_at = 0;
  }
}

std::vector<std::uint64_t> Race::next_round() {
  drop_losers();
  if (!is_spent()) recall_faster();
  Members members = with_fewer_than(std::min(2U, options_.most_samples));
  if (members.empty() && !is_spent()) members = open();
  return in_turn(std::move(members));
}

// A candidate is open if one more sample could change the decision. Let `first` be the first in the
// canonical order among those that are surely tied with the leader: it wins if nothing changes. A
// candidate before it may turn out to be tied, and win. Any other candidate may turn out to be so
// fast that `first` is no longer tied. Both kinds are compared with the leader and with `first`, so
// those two run as well.
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
  const Standing* stale = nullptr;
  for (const Standing& s : standings_) {
    if (&s == &winner || s.fate == Fate::failed || s.samples_ns.empty()) continue;
    const Standing*& place = is_stale(s, winner) ? stale : second;
    if (place == nullptr || s.elapsed.ns < place->elapsed.ns) place = &s;
  }
  if (second != nullptr) outcome.runner_up = second->candidate.id;
  judge_drift(*leader(), outcome);
  if (stale != nullptr && !outcome.has_drifted) {
    outcome.drift = winner.elapsed.ns / stale->elapsed.ns;
    outcome.has_drifted = true;
  }
  return outcome;
}

}  // namespace vyre
