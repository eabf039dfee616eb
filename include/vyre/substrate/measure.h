// Measuring: which of several configurations is fastest, from as few noisy run times as will do.
//
// A Race is told run times and says who is to be run next. It knows no device and no clock, so the
// same run times in the same order give the same decision everywhere, and run times in another
// order nearly always do. Statistics and figures: docs/measuring.md.
//
// All at once: add every candidate, then
//   for (auto round = race.next_round(); !round.empty(); round = race.next_round())
//     for (std::uint64_t id : round) race.tell(id, run(id));
//
// As a search goes: for each configuration that it asks for, add it and run `race.screen()` instead
// of `race.next_round()` in that loop. A loser costs one or two runs. When the search ends, run the
// loop above once for the few that are still in.
//
// A Race belongs to one thread at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace vyre {

struct Estimate {
  double ns = 0;  // 0: not known
  double low_ns = 0;
  double high_ns = 0;

  bool operator==(const Estimate&) const = default;
};

// The relative spread (standard deviation over median) that run times of one kernel are taken to
// have before any are known.
inline constexpr double kUsualSpread = 0.02;

// The median of `samples_ns` and an interval that holds the true one about 19 times in 20. `spread`
// is what is known of the noise from elsewhere; with few samples it decides the interval's width.
// Without samples all is 0.
Estimate estimate(std::span<const double> samples_ns, double spread = kUsualSpread);

// The relative spread of `samples_ns` around their median; nothing for fewer than two.
std::optional<double> relative_spread(std::span<const double> samples_ns);

// Who races. Everything but `id` only decides ties: the default wins them, else the fewest
// invocations, then the least local memory, then the lowest id.
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
  // A race of n takes at most this times n, and twice `most_samples`, warm-up apart; then it
  // decides by what it knows. Only where many are within a percent of each other does this matter.
  // 0: no limit.
  double mean_samples = 2.9;
  double indifference = 0.005;  // candidates this near to the fastest are as good
  // A device clocks up with work. Runs of a candidate count when they no longer get faster one by
  // one, when it has kept the device busy for this long, or after this many; 0: at once.
  double warm_up_ns = 15e6;
  std::uint32_t warm_up_samples = 4;
};

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
  std::vector<std::uint64_t> tied = {};  // as good as the fastest: the winner first, then in order
  std::optional<std::uint64_t> runner_up = {};  // the fastest but the winner
  Estimate elapsed = {};                        // of the winner
  std::uint64_t samples = 0;                    // of all candidates, warm-up included
  // The fastest candidate's later run times over its earlier ones, where both are known: 1.1 says
  // that the device has become 10 % slower while it was measured.
  std::optional<double> drift = {};
  bool has_drifted = false;  // by more than the noise explains, and by more than 2 %
};

class Race {
 public:
  explicit Race(const RaceOptions& options = {}) : options_(options) {}

  // At any time. A candidate that is in already is left as it is.
  void add(const Candidate& candidate);

  // Whom to run once each, in this order, to know who may be the fastest: newcomers until they are
  // dropped or have their first samples, now and then the leader, for drift. Empty: known.
  std::vector<std::uint64_t> screen();

  // Whom to run once each, in this order, to decide the race. Empty: decided.
  std::vector<std::uint64_t> next_round();

  // One run time. Takes runs that nobody asked for, too: those of a journal. False, and without
  // effect: the candidate was not added, or the time is no positive number.
  bool tell(std::uint64_t id, double sample_ns);

  // It crashed, hung or was wrong: never asked for again, and never wins.
  void fail(std::uint64_t id);

  // As far as is known now; nothing while no candidate that is in has a run time.
  std::optional<Outcome> outcome() const;

  // Null: not added. Valid until the next call of `add`.
  const Standing* find(std::uint64_t id) const;
  // In the order in which they were added.
  std::span<const Standing> standings() const { return standings_; }

 private:
  using Members = std::vector<const Standing*>;
  struct Own {  // of a standing, at the same place
    double busy_ns = 0;
    double cold_ns = 0;  // the last run of its warm-up
    std::optional<double> spread = {};
  };

  void update(std::size_t place);
  void share_spread(double quantile);
  std::size_t drop_slower();
  void drop_losers();
  bool is_spent() const;
  const Standing* leader() const;
  Members with_fewer_than(std::uint32_t samples) const;
  Members open() const;
  Members tied() const;
  std::vector<std::uint64_t> in_turn(Members members);

  RaceOptions options_;
  std::vector<Standing> standings_;
  std::vector<Own> own_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
  double spread_ = kUsualSpread;  // what the candidates have in common
  std::uint64_t samples_ = 0;
  std::uint64_t leader_ran_at_ = 0;  // samples_ then
  bool is_backwards_ = false;        // rounds go to and fro
};

}  // namespace vyre
