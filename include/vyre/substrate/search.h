// Searching a space for its fastest configuration: strategies that propose, evaluators that
// measure.
//
// A Strategy knows parameters, constraints and what it was told; it knows nothing of kernels,
// devices or clocks. Ask it for configurations, measure them in any way, tell it what came out, in
// any order, until the budget is spent:
//
//   auto search = make_strategy("natural", space, {.seed = 1});
//   while (evaluations < budget) {
//     for (std::uint64_t index : (*search)->ask(1)) (*search)->tell(index, measure(index));
//   }
//
// Deterministic: the same space, options and tells give the same asks, on every machine.
// One Strategy or Evaluator belongs to one thread at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vyre/error.h"
#include "vyre/recording.h"
#include "vyre/space.h"

namespace vyre {

using recording::Status;

// What became of one configuration. Failures are told too: they are data.
struct Result {
  Status status = Status::ok;
  double time_ms = 0;  // above 0; only if status is ok
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  // At most `most` indices to measure next, best first, none of which was asked or told before.
  // Fewer only when fewer are left: empty means that the whole space is known.
  virtual std::vector<std::uint64_t> ask(std::size_t most) = 0;

  // Also takes configurations that were never asked for: seeds, or another search's results. A
  // second result for the same index replaces nothing and is ignored.
  virtual void tell(std::uint64_t index, const Result& result) = 0;

  // By which share of the best time so far the last configuration asked for was expected to be
  // faster, as a mean over all that it may turn out to be. None: not known.
  virtual std::optional<double> expected_gain() const { return std::nullopt; }
};

// What a sibling says about a space: another device, driver or shape of the same program. A whole
// recording, or no more than a decision and its runner-up.
struct Hint {
  struct Time {
    std::uint64_t index = 0;  // in the space that is searched now
    double time = 0;          // above 0, in any unit, the same for all of one hint
  };
  std::vector<Time> times = {};
};

// What `sibling` says about `space`. Configurations are matched by the names and values of their
// parameters; those that failed there or are not valid here are left out.
Hint hint_of(const space::Space& space, const recording::Recording& sibling);

struct StrategyOptions {
  std::uint64_t seed = 0;
  // Where to start: the default configuration, and others that are likely to be good. Asked for
  // first, in this order.
  std::vector<std::uint64_t> start = {};
  // One per sibling. `natural` trusts them as far as they agree with what it is told.
  std::vector<Hint> hints = {};
};

struct StrategyKind {
  std::string_view name;
  std::string_view what;  // one line for people
  std::unique_ptr<Strategy> (*make)(const space::Space& space, const StrategyOptions& options);
  // A campaign with it is to record the space: it goes on when no further gain is expected, and
  // takes a few samples of every configuration, not only of those that may win.
  bool records_space = false;
};

// The default one first.
std::span<const StrategyKind> strategies();
// False for a name that is not in `strategies`.
bool records_space(std::string_view strategy);

// Fails on a name that is not in `strategies`, on a start or a hint outside the space, and on a
// hint's time that is no time.
Expected<std::unique_ptr<Strategy>> make_strategy(std::string_view name, const space::Space& space,
                                                  const StrategyOptions& options = {});

// The seam to whatever runs the kernels: this process, a worker, or a recording of a device.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // How many to announce at once, so that something is gained by it.
  virtual std::size_t ahead() const { return 1; }
  // These will be prepared soon, in this order: some evaluators compile them ahead.
  virtual void announce(std::span<const std::uint64_t> indices) { static_cast<void>(indices); }
  // Compiles and does whatever else comes before the first run. Not ok: it will never run.
  virtual Expected<Status> prepare(std::uint64_t index) = 0;
  // Runs once and checks what came out.
  virtual Expected<Status> verify(std::uint64_t index) = 0;
  // Runs once and times it. After a `prepare` that was ok.
  virtual Expected<Result> sample(std::uint64_t index) = 0;
  // A sample of this configuration was taken by an earlier process and is known.
  virtual void recall_sample(std::uint64_t index) { static_cast<void>(index); }
  // Seconds since the evaluator was made, as its device sees them.
  virtual double now_seconds() const = 0;
  // Of those, spent on compiling and running kernels; all else is overhead. 0: not known.
  virtual double kernel_seconds() const { return 0; }
};

// A recorded device with a simulated clock: `prepare` takes the recorded compile time, `sample`
// gives the recorded run times in turn, over and over, failures are as recorded, and there is
// nothing to verify. Copies share the recording; each has its own clock.
class Replay final : public Evaluator {
 public:
  // Fails where the recording has no rows, or rows that break its promises.
  static Expected<Replay> make(recording::Recording recording);

  // Configuration i is row i.
  const space::Space& space() const { return space_; }
  const recording::Recording& recording() const { return *recording_; }

  Expected<Status> prepare(std::uint64_t index) override;
  Expected<Status> verify(std::uint64_t index) override;
  Expected<Result> sample(std::uint64_t index) override;
  void recall_sample(std::uint64_t index) override;
  double now_seconds() const override { return clock_ms_ / 1000; }

  // All of it at once: prepares, takes every recorded run and gives the recorded objective, which a
  // mean over those runs may miss by a rounding.
  Expected<Result> evaluate(std::uint64_t index);

 private:
  Replay(std::shared_ptr<const recording::Recording> recording, space::Space space);
  Expected<const recording::Row*> row(std::uint64_t index) const;
  double next_run_ms(std::uint64_t index);

  std::shared_ptr<const recording::Recording> recording_;
  space::Space space_;
  std::vector<std::uint32_t> next_run_;
  double clock_ms_ = 0;
};

}  // namespace vyre
