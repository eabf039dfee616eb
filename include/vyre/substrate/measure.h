// Race: which of several configurations is fastest, from as few noisy run times as possible.
//
// A Race is told run times and says which candidates to run next. It knows no device and no clock.
// So the same run times in the same order give the same decision everywhere, and run times in
// another order nearly always do. docs/measuring.md has the statistics and figures.
//
// With all candidates known, add each of them, then run the loop of the example.
//
// Example (examples/search_and_race.cc):
//   for (auto round = race.next_round(); !round.empty(); round = race.next_round()) {
//     for (std::uint64_t id : round) race.tell(id, run(id));
//   }
//
// During a search, add each configuration as the search asks for it, and call `race.screen()`
// instead of `race.next_round()` in that loop. A loser costs one or two runs. When the search ends,
// run the loop above once for the few candidates that are left.
//
// A Race belongs to one thread at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "vyre/substrate/estimate.h"

namespace vyre {

// A configuration in the race. All fields but `id` only decide ties: the default wins, then the
// fewest invocations, then the least local memory, then the lowest id.
struct Candidate {
  std::uint64_t id = 0;  // the configuration's index in its space
  bool is_default = false;
  std::uint64_t invocations = 0;
  std::uint64_t local_bytes = 0;

  bool operator==(const Candidate&) const = default;
};
bool comes_before(const Candidate& a, const Candidate& b);

struct RaceOptions {
  std::uint32_t first_samples = 3;   // of a newcomer that is no clear loser, in `screen`
  std::uint32_t fewest_samples = 0;  // of any candidate, before it may be dropped
  std::uint32_t most_samples = 32;   // of any candidate, warm-up apart
  // A race of n candidates takes at most n times this plus twice `most_samples` samples, warm-up
  // apart. Then it decides with the samples that it has. The limit is reached only where many
  // candidates are within a percent of each other. 0: no limit.
  double mean_samples = 2.9;
  double indifference = 0.005;  // candidates this near to the fastest are tied with it
  // A device raises its clock when it has work. The first runs of a candidate do not count, until
  // they no longer get faster one by one, have taken this long, or were this many. 0: all count.
  double warm_up_ns = 15e6;
  std::uint32_t warm_up_samples = 4;
};

// A dropped candidate comes back if the leader becomes slower than it looked.
enum class Fate : std::uint8_t { racing, dropped, failed };

struct Standing {
  Candidate candidate = {};
  Fate fate = Fate::racing;
  Estimate elapsed = {};
  std::vector<double> samples_ns = {};  // those that count, in order
  std::uint32_t warm_up_samples = 0;    // those that do not
  std::uint64_t left_at = 0;            // samples of the whole race when it was dropped or failed
};

struct Outcome {
  std::uint64_t winner = 0;
  std::vector<std::uint64_t> tied = {};  // with the fastest: the winner first, then in order
  // The fastest but the winner. It is faster than the winner only if the two are tied.
  std::optional<std::uint64_t> runner_up = {};
  Estimate elapsed = {};      // of the winner
  std::uint64_t samples = 0;  // of all candidates, warm-up included
  // The later run times of the fastest candidate divided by its earlier ones, if there are enough:
  // 1.1 means that the device became 10 % slower while it was measured.
  std::optional<double> drift = {};
  // By more than the noise explains, and by more than 2 %; or so much that a candidate that was
  // dropped as slower now looks faster than the winner, and could not be run again.
  bool has_drifted = false;
};

class Race {
 public:
  explicit Race(const RaceOptions& options = {}) : options_(options) {}

  // At any time. A candidate that is in already is left as it is.
  void add(const Candidate& candidate);

  // The candidates to run once each, in this order, to find out which may be the fastest: newcomers
  // until they are dropped or have their first samples, and now and then the leader, because the
  // device may drift. Empty: it is known.
  std::vector<std::uint64_t> screen();

  // The candidates to run once each, in this order, to decide the race. Empty: it is decided.
  std::vector<std::uint64_t> next_round();

  // Takes one run time. Runs that the race did not ask for count too, such as those of a journal.
  // False, and without effect, if the candidate was not added or the time is no positive number.
  bool tell(std::uint64_t id, double sample_ns);

  // For a candidate that crashed, hung or was wrong. It is never asked for again, and never wins.
  void fail(std::uint64_t id);

  // The outcome as far as it is known now. None while no candidate in the race has a run time.
  std::optional<Outcome> outcome() const;

  // Null: not added. Valid until the next call of `add`.
  const Standing* find(std::uint64_t id) const;
  // In the order in which they were added.
  std::span<const Standing> standings() const { return standings_; }

 private:
  using Members = std::vector<const Standing*>;
  struct Warmth {  // of the standing at the same place
    double busy_ns = 0;
    double cold_ns = 0;  // the last run of its warm-up
    std::optional<double> spread = {};
  };

  void update(std::size_t place);
  void share_spread(double quantile);
  std::size_t drop_slower();
  void drop_losers();
  void recall_faster();
  bool is_spent() const;
  const Standing* leader() const;
  Members with_fewer_than(std::uint32_t samples) const;
  Members open() const;
  Members tied() const;
  std::vector<std::uint64_t> in_turn(Members members);

  RaceOptions options_;
  std::vector<Standing> standings_;
  std::vector<Warmth> warmth_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
  double spread_ = kUsualSpread;  // the spread that all candidates are taken to have
  std::uint64_t samples_ = 0;
  std::uint64_t leader_ran_at_ = 0;  // samples_ then
  bool is_backwards_ = false;        // whether the next round goes backwards
};

}  // namespace vyre
