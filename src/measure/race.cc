#include <algorithm>
#include <cmath>

#include "vyre/substrate/measure.h"

namespace vyre {
namespace {

// A device that was idle may run this much slower than it will: 4 times was recorded.
constexpr double kColdSlow = 8.0;
constexpr double kColdFast = 1.35;
// While newcomers are screened, the leader is run again after so many samples: it may have been
// lucky, and the device may have changed.
constexpr std::uint64_t kLeaderEvery = 16;
// How many candidates the usual spread counts for in the common one.
constexpr std::size_t kUsualWeight = 3;
// Most candidates of a kernel run steadily, some between two clock levels, and two samples do not
// tell which: all are taken for nearly as noisy as the noisiest, until a crowd is left. Then some
// of it will be as good as the best, whomever noise throws out.
constexpr double kCautious = 0.9;
constexpr double kCrowded = 0.7;
constexpr std::size_t kCrowd = 10;
// Runs of a cold device get faster by more than this each.
constexpr double kWarmingUp = 0.95;

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
  own_.emplace_back();
}

const Standing* Race::find(std::uint64_t id) const {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &standings_[found->second];
}

bool Race::tell(std::uint64_t id, double sample_ns) {
  const auto found = places_.find(id);
  if (found == places_.end() || !std::isfinite(sample_ns) || sample_ns <= 0) return false;
  Standing& standing = standings_[found->second];
  Own& own = own_[found->second];
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
  const double cold = own_[place].cold_ns;
  standing.elapsed = standing.samples_ns.empty()
                         ? Estimate{cold, cold / kColdSlow, cold * kColdFast}
                         : estimate(standing.samples_ns, spread_);
}

void Race::fail(std::uint64_t id) {
  const auto found = places_.find(id);
  if (found == places_.end()) return;
  standings_[found->second].fate = Fate::failed;
  standings_[found->second].left_at = samples_;
}

// The candidates are one kernel on one device, so what is typical of their noise is known sooner
// than the noise of any of them.
void Race::share_spread(double quantile) {
  std::vector<double> spreads(kUsualWeight, kUsualSpread);
  for (const Own& own : own_) {
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

// Who is slower than the leader by no more than the indifference may still win a tie.
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

// Every other round goes backwards: nobody always runs after the same neighbour, and over two
// rounds a steady drift costs all the same.
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

std::vector<std::uint64_t> Race::next_round() {
  drop_losers();
  Members members = with_fewer_than(std::min(2U, options_.most_samples));
  if (members.empty() && !is_spent()) members = open();
  return in_turn(std::move(members));
}

}  // namespace vyre
