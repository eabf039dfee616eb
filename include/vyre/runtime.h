// Runtime: launches programs the way that was decided for them, and decides where nothing was.
//
// Example (examples/serve.cc):
//   for (int turn = 0; turn < 10; ++turn) {
//     check(runtime->launch(saxpy, {{"a", 2.0F}, {"x", **device_x}, {"y", **device_y}}));
//   }
//   check(runtime->finish());
//
// A launch looks up the decision for the program and its shape; a shape that was never tuned gets
// that of the nearest one as a seed, else the default. A seed, of another shape, driver or space,
// is proved first: the first launch gives the default's result, and tries the seed on copies. One
// that gives something else to the last bit, or that the device refuses, is replaced by the
// default, with one event. A decision for the shape itself gives what it was verified to give when
// it was tuned: exactly the default's result, unless its Declaration or Problem allows a tolerance.
//
// In modes on and natural a launch that finds no decision is followed by tuning, at once or online:
// always on copies of its inputs, made on the device where they are on the device, and never for
// longer than the options allow. Its result is an event, never an error of the launch. Each key is
// tuned by one thread at a time; the others launch what there is and wait for nobody. What was
// measured is in a journal: a process that is killed in the middle goes on from there when it meets
// the key again. docs/decisions.md has the whole story.
//
// Arguments are those of a Dispatcher (vyre/call.h). A launch whose memory is all on the device
// only enqueues once its call is decided; `finish` waits. It may wait where a kernel runs for the
// first time, a sequence repeats until a flag is set, a configuration that was decided for another
// shape is proved, a launch is timed for feedback, and while a key is tuned.
//
// Thread-safe. Works on every backend; keeps its device alive. No lock of the runtime is held while
// a kernel runs, compiles or is measured. A decided launch takes no lock that all calls share,
// copies no string and allocates nothing.

#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vyre/agree.h"
#include "vyre/call.h"
#include "vyre/config.h"
#include "vyre/decisions.h"
#include "vyre/substrate/workgroup.h"
#include "vyre/tune.h"

namespace vyre {

enum class Source : std::uint8_t {
  untuned,   // the default
  decision,  // made for this program, shape, identity and space
  seed,      // made for this program and shape, under another identity or over another space
  nearest,   // made for another shape of this program
};
std::string_view to_string(Source source);

struct Resolved {
  DecisionRef decision = {};
  Source source = Source::untuned;
  bool is_doubtful = false;  // of source `nearest`: this shape should be tuned
};

enum class Feedback : std::uint8_t {
  none,
  gather,  // time every launch
  resize,  // and let SteadyResize choose the workgroup size where nothing was decided and the
           // program means the same with any size
};

// Tuning little by little: each launch of a key without a decision is followed by one sample of one
// candidate (a run, or a few short ones in a row), on copies, until the decision is made. A decided
// key costs nothing any more.
struct Online {
  // The share of the time of all launches of undecided keys that may go into copying, compiling,
  // verifying and measuring. The first step that exceeds it is the last until the launches have
  // made up for it. Above 0, at most 1.
  double share = 0.05;
  // A launch waits no longer than this for the step that follows it. A longer step, a compilation
  // for example, goes on beside the application, on the one thread that all keys share. 0: launches
  // do not wait, and may disturb the measurements.
  double stall_seconds = 0.1;
};

struct RuntimeOptions {
  // A launch that finds no decision does this. off: nothing; it never measures and never writes the
  // cache. on: try all candidates where they are few, else search. natural: search.
  Mode mode = Mode::off;
  // For one key, in modes on and natural; a candidate that is begun is finished. Online, only the
  // evaluations count. Empty: nothing is tuned, and an event says so.
  Budget miss_budget = {.seconds = 2};
  std::optional<Online> online = {};  // none: all at once, after the first launch of a key
  WorkerOptions workers = {};         // where candidates run
  Files files = {};
  double lock_seconds = 10;  // how long a save waits for another process
  EventSink events = {};
  Feedback feedback = Feedback::none;
  ResizePolicy resize = {};
};

// The configurations that may be tried for a program with tunables.
struct Declaration {
  space::Space space;  // parameters are tunables of the sequence; contains the defaults
  // Outputs of a candidate may differ from the default's by so much: by nothing, unless the
  // application knows better. Integers and opaque elements are always equal.
  Tolerance tolerance = {.absolute = 0, .relative = 0};
  std::vector<Opaque> opaque_outputs = {};  // as in Problem
};

struct Recheck {
  bool holds = true;
  Estimate elapsed = {};  // of what was decided; 0: it does not run, or is wrong
  Estimate default_elapsed = {};
};

class Runtime {
 public:
  // bad_inputs: there is no device. A decision file that cannot be read is an event, not an error.
  [[nodiscard]] static Expected<Runtime> open(std::shared_ptr<Device> device,
                                              RuntimeOptions options = {});
  // Mode and files as the environment has them. (A template, so that `{...}` means RuntimeOptions.)
  template <std::same_as<Environment> E>
  [[nodiscard]] static Expected<Runtime> open(std::shared_ptr<Device> device,
                                              const E& environment) {
    return open(std::move(device),
                RuntimeOptions{.mode = environment.mode, .files = environment.files});
  }
  Runtime(Runtime&&) noexcept;
  Runtime& operator=(Runtime&&) noexcept;
  ~Runtime();

  // Never tunes, never compiles. A hit takes about 20 ns and no lock.
  Resolved resolve(const ir::Sequence& sequence, std::span<const std::uint64_t> shape) const;

  // The numbers that key_of takes: what a call says about its sizes.
  Expected<std::vector<std::uint64_t>> shape_of(const ir::Sequence& sequence,
                                                std::span<const Arg> args) const;
  Expected<std::vector<std::uint64_t>> shape_of(const ir::Sequence& sequence,
                                                const Call& call) const;

  // Values of the sequence's tunables, in declaration order; empty: the defaults. What the sequence
  // does not declare is left out.
  Config config_of(const ir::Sequence& sequence, const Resolved& resolved) const;

  // As Dispatcher::dispatch. A configuration or workgroup size in the options is used as it is, and
  // nothing looked up. A call with a grid of its own is never tuned: its key does not name the
  // grid.
  [[nodiscard]] Expected<void> launch(const ir::Sequence& sequence, std::span<const Arg> args,
                                      const CallOptions& options = {});
  [[nodiscard]] Expected<void> launch(const ir::Sequence& sequence, std::initializer_list<Arg> args,
                                      const CallOptions& options = {}) {
    return launch(sequence, std::span<const Arg>(args.begin(), args.size()), options);
  }
  [[nodiscard]] Expected<void> launch(const ir::Sequence& sequence, const Call& call,
                                      Outputs& outputs);
  [[nodiscard]] Expected<Outputs> launch(const ir::Sequence& sequence, const Call& call);

  // Waits for all that was enqueued, and reports its failure.
  [[nodiscard]] Expected<void> finish();

  // From now on launches of this sequence may be tuned over this space, and decisions that were
  // made over another one are seeds. Programs with tunables are not tuned without it; those with
  // has_free_workgroup need none. bad_inputs: a parameter that is no tunable of the sequence, or
  // defaults that are not in the space.
  [[nodiscard]] Expected<void> declare(const ir::Sequence& sequence,
                                       const Declaration& declaration);

  // Measures the decision for this call against the default, on copies, for as long as these two
  // take. One that is not faster any more, fails or is wrong is replaced by the default, with an
  // event, and saved (one that is built in or the system's is passed over until the process ends);
  // in modes on and natural the next launch tunes anew. Works in all modes. bad_inputs: nothing was
  // decided for this call.
  [[nodiscard]] Expected<Recheck> recheck(const ir::Sequence& sequence, std::span<const Arg> args);
  [[nodiscard]] Expected<Recheck> recheck(const ir::Sequence& sequence,
                                          std::initializer_list<Arg> args) {
    return recheck(sequence, std::span<const Arg>(args.begin(), args.size()));
  }
  [[nodiscard]] Expected<Recheck> recheck(const ir::Sequence& sequence, const Call& call);

  // Serves the same decisions as all other ranks, from now until the next call (vyre/agree.h).
  // Calls `exchange` exactly once, on this thread and without a lock of the launches; other threads
  // may launch meanwhile. All ranks call it, and as often. Reads no file: DecisionCache::refresh
  // before it takes up what others have published. After an error nothing has changed.
  //
  [[nodiscard]] Expected<Agreement> agree(const Exchange& exchange,
                                          const AgreeOptions& options = {});

  // Of the last launch of this sequence. None: not gathered.
  std::optional<TunerFeedback> feedback(const ir::Sequence& sequence) const;

  Mode mode() const;
  DecisionCache& cache();
  const DecisionCache& cache() const;

 private:
  struct Content;
  explicit Runtime(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

}  // namespace vyre
