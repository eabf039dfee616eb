// Searching a space for its fastest configuration: strategies that propose, evaluators that
// measure.
//
// A Strategy knows parameters, constraints and what it was told; it knows nothing of kernels,
// devices or clocks. Ask it for configurations, measure them in any way, tell it what came out, in
// any order, until the budget is spent.
//
// Example (examples/search_and_race.cc):
//   auto search = make_strategy("natural", *space, {.seed = 1});
//   while (evaluations < 12) {
//     for (std::uint64_t index : (*search)->ask(1)) (*search)->tell(index, measure(index));
//     ++evaluations;
//   }
//
// Deterministic: the same space, options and tells give the same asks, on every machine.
// One Strategy or Evaluator belongs to one thread at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/error.h"
#include "vyre/recording.h"
#include "vyre/space.h"

namespace vyre {

using recording::Status;

// The outcome of one configuration. Failures are told too, because the search learns from them.
struct Result {
  Status status = Status::ok;
  double time_ms = 0;  // above 0; only if status is ok
  // What the default configuration took right after it, on the same device; 0: not known. A device
  // whose speed changes shows that here.
  double default_ms = 0;
  // The host's clock has told the time, which contains the launch then. Of a timed run only.
  bool is_host_time = false;
  // The seconds that it took to find out. 0: not known.
  double compile_seconds = 0;
  double run_seconds = 0;
  // Of compile_seconds: the first run and the comparison of its output, behind the compiler.
  double verify_seconds = 0;
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  // At most `most` indices to measure next, best first. None of them was asked or told before,
  // unless it was withdrawn. Configurations that were asked for and neither told nor withdrawn are
  // under way: they narrow a strategy's model without a value, across asks.
  //
  // Configurations that are expected to cost more than `seconds` (compiling and running, from the
  // costs told so far) are not given. While no cost is known, any configuration is given. Fewer
  // than `most` are given only if fewer are left at that price; with no limit, empty means that
  // the whole space is known or under way.
  virtual std::vector<std::uint64_t> ask(
      std::size_t most, double seconds = std::numeric_limits<double>::infinity()) = 0;

  // Takes the outcome of a configuration, also of one that was never asked for: a seed, or a result
  // of another search. A second result for the same index is ignored.
  virtual void tell(std::uint64_t index, const Result& result) = 0;

  // Takes back a configuration that was asked for and will not be measured now; it may be asked for
  // again. One that is not under way is ignored.
  virtual void withdraw(std::uint64_t index) = 0;

  // The expected gain of the last configuration that was asked for, as a share of the best time so
  // far. None: not known.
  virtual std::optional<double> expected_gain() const { return std::nullopt; }

  // The expected cost of evaluating this configuration, in seconds: compiling and running. None:
  // nothing is known yet.
  virtual std::optional<double> expected_seconds(std::uint64_t index) const {
    static_cast<void>(index);
    return std::nullopt;
  }
};

// Times from a sibling: the same program on another device, with another driver or another shape. A
// hint may be a whole recording, or only a decision and its runner-up.
struct Hint {
  struct Time {
    std::uint64_t index = 0;  // in the space that is searched now
    double time = 0;          // above 0, in any unit, the same for all of one hint
  };
  std::vector<Time> times = {};
};

// The times of `sibling` as a hint for `space`. Configurations are matched by the names and values
// of their parameters. Those that failed there or are not valid here are left out.
Hint hint_of(const space::Space& space, const recording::Recording& sibling);

struct StrategyOptions {
  std::uint64_t seed = 0;
  // Configurations to ask for first, in this order: the default, and others that are likely to be
  // good.
  std::vector<std::uint64_t> start = {};
  // One per sibling. `natural` trusts them as far as they agree with what it is told.
  std::vector<Hint> hints = {};
};

struct StrategyKind {
  std::string_view name;
  std::string_view what;  // one line for people
  std::unique_ptr<Strategy> (*make)(const space::Space& space, const StrategyOptions& options);
  // Whether a campaign with this strategy records the space. It then goes on when no further gain
  // is expected, and takes a few samples of every configuration, not only of those that may win.
  bool records_space = false;
};

// The default one first.
std::span<const StrategyKind> strategies();
// False for a name that is not in `strategies`.
bool records_space(std::string_view strategy);

// Fails if the name is not in `strategies`, if a start or a hint is outside the space, and if a
// time of a hint is not above 0.
Expected<std::unique_ptr<Strategy>> make_strategy(std::string_view name, const space::Space& space,
                                                  const StrategyOptions& options = {});

// What can be done with one configuration.
enum class Step : std::uint8_t {
  admit,   // compile it, run it once for nothing and verify its output
  sample,  // run it and time it: once, or the median of a few short runs in a row
  race,    // the same for the final race: beside its rivals, and its output is verified again
  pair,    // the same once the race is decided: side by side with the default
};

struct Work {
  Step step = Step::admit;
  std::uint64_t index = 0;  // of the configuration
  bool operator==(const Work&) const = default;
};

struct Answer {
  Work work = {};
  Result result = {};        // its seconds are those of this work alone
  std::string why = {};      // of a failure, for people; empty: no more is known than the status
  double seconds = 0;        // on the evaluator's clock, when it was known
  std::int64_t unix_ms = 0;  // the same by the calendar; 0: not known
};

// The seam to the place where kernels run: this process, workers, or a recording of a device. Work
// is started and answered later, in any order, so that several configurations can be under way.
class Evaluator {
 public:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  virtual ~Evaluator() = default;

  // How many configurations can be under way at once.
  virtual std::size_t workers() const { return 1; }
  // Whether answers come in the order in which their work was started, whatever was known first.
  // Then `workers` is a number that the caller has chosen, and the same answers lead to the same
  // questions wherever and however fast the work was done.
  virtual bool answers_in_order() const { return false; }
  // Whether what the caller computes while a run is timed slows it: the device runs on its cores.
  virtual bool is_disturbed_by_caller() const { return false; }
  // Whether each sample warms up by itself. Otherwise the first ones of a configuration may be
  // slow.
  virtual bool is_warm() const { return false; }
  // Returns at once. A configuration is admitted before it is timed.
  virtual Expected<void> start(const Work& work) = 0;
  // Waits for the next answer. None: the clock has come to `until`, or nothing is under way.
  virtual Expected<std::optional<Answer>> next(double until = kNoLimit) = 0;
  // Gives up all that is under way: there will be no answer to it.
  virtual void give_up() = 0;
  // This was answered by an earlier process and is known.
  virtual void recall(const Answer& answer) { static_cast<void>(answer); }
  // Seconds since the evaluator was made, as its device sees them.
  virtual double now_seconds() const = 0;
  // The part of these seconds that kernels took to compile and run; the rest is overhead. 0: not
  // known.
  virtual double kernel_seconds() const { return 0; }
};

// Starts one piece of work and waits for its answer, with nothing else under way.
Expected<Answer> answer_of(Evaluator& evaluator, const Work& work);

// A recorded device with a simulated clock. Admitting takes the recorded compile and validation
// times, on as many workers as it has; runs are timed one at a time and give the recorded run times
// in turn, over and over. Failures are as recorded. Copies share the recording, and each has its
// own clock.
class Replay final : public Evaluator {
 public:
  // Fails if the recording has no rows, or rows that do not fit its columns.
  static Expected<Replay> make(recording::Recording recording, std::size_t workers = 1);

  // Configuration i is row i.
  const space::Space& space() const { return space_; }
  const recording::Recording& recording() const { return *recording_; }

  std::size_t workers() const override { return workers_; }
  Expected<void> start(const Work& work) override;
  Expected<std::optional<Answer>> next(double until = kNoLimit) override;
  void give_up() override { under_way_.clear(); }
  void recall(const Answer& answer) override;
  double now_seconds() const override { return clock_ms_ / 1000; }

  // Admits, takes every recorded run and gives the recorded objective. A mean over those runs may
  // differ from the objective by a rounding error.
  Expected<Result> evaluate(std::uint64_t index);

 private:
  struct UnderWay {
    Work work = {};
    Result result = {};
    double ends_ms = 0;
  };

  Replay(std::shared_ptr<const recording::Recording> recording, space::Space space,
         std::size_t workers);
  Expected<const recording::Row*> row(std::uint64_t index) const;
  double next_run_ms(std::uint64_t index);
  Result result_of(const Work& work);

  std::shared_ptr<const recording::Recording> recording_;
  space::Space space_;
  std::size_t workers_;
  std::vector<std::uint32_t> next_run_;
  std::vector<UnderWay> under_way_;
  double device_free_ms_ = 0;  // when the last timed run ends
  double clock_ms_ = 0;
};

}  // namespace vyre
