// tune: from a problem and a budget to a decision that can be trusted, remembered and served.
//
// Example (examples/tune_kernel.cc):
//   const vyre::Files files{.folder = argc > 1 ? argv[1] : ""};  // or vyre::from_env().files
//   const auto tuned =
//       vyre::tune(*device, *problem, {.seconds = 10, .evaluations = 5, .files = files});
//
// A campaign searches the problem's space: a strategy proposes configurations, each is compiled,
// its output verified and its time sampled, and a race says how often. The default configuration is
// always measured, and a decision is never slower than it. Where the workgroup size is the only
// choice, the original's policies decide instead (vyre/substrate/workgroup.h).
//
// With files, the decision is kept in the device's decision file, where Runtime finds it; what was
// measured goes into a journal first, and a campaign that is interrupted in any way goes on from
// there, in this program or another; configurations that fail are not tried again. Without files
// all of this stays in memory.
//
// One campaign belongs to one thread; several may run at once on different devices.

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/decisions.h"
#include "vyre/problem.h"
#include "vyre/recording.h"
#include "vyre/substrate/measure.h"
#include "vyre/substrate/search.h"

namespace vyre {

// Where candidates run.
enum class Isolation : std::uint8_t {
  automatic,   // in workers where they can be had, else in this process
  workers,     // in workers; an error where there are none
  in_process,  // in this process: a candidate that crashes takes the process with it
};

// What a compiler may take by default: a hundred times what usual kernels need.
inline constexpr std::uint64_t kBuildMemory = std::uint64_t{768} << 20U;

// A worker is a process of its own, so that a candidate that crashes, hangs, takes all memory or
// loses the device costs one candidate and nothing else. A device that the application handed in is
// known to no other process: its candidates run in this one, as do those of the interpreter.
struct WorkerOptions {
  Isolation isolation = Isolation::automatic;
  // vyre-worker; empty: the one beside the library, beside the program or in a bin folder there.
  std::filesystem::path executable = {};
  std::chrono::milliseconds build_limit{120'000};  // a kernel that takes longer is given up
  std::chrono::milliseconds run_limit{10'000};     // a run that takes longer hangs: `timeout`
  std::uint64_t build_memory = kBuildMemory;       // bytes for compiling a kernel; 0: no limit
  std::uint64_t memory_limit = 0;                  // bytes that candidates may take; 0: no limit
  std::optional<std::uint32_t> workers = {};       // none: one per core, four at most
};

// Whichever comes first ends the search; 0 is no limit, but not for both unless the strategy is one
// that records the space.
struct Budget {
  double seconds = 15;
  std::uint64_t evaluations = 0;
};

struct Progress {
  std::uint64_t evaluations = 0;  // configurations tried, failures included
  std::uint64_t failures = 0;
  double seconds = 0;
  double default_ns = 0;
  double best_ns = 0;
  std::uint64_t best = 0;  // index in the space
};

struct Failure {
  std::uint64_t index = 0;
  Status status = Status::runtime;
  std::string why = {};  // for people; empty: no more is known
};

// A configuration once its first samples or its failure are known.
struct Tried {
  std::uint64_t index = 0;
  Result result = {};
  std::string why = {};  // it failed, for people; empty: no more is known
};

// What a configuration has cost, and when its last result was known.
struct Cost {
  double compile_seconds = 0;
  double verify_seconds = 0;  // the first run, and the comparison of its output
  double run_seconds = 0;     // samples
  double search_seconds = 0;  // the search's own, until it asked for it
  std::int64_t unix_ms = 0;   // 0: not known
};

enum class StopReason : std::uint8_t { budget, converged, exhausted, asked };
std::string_view to_string(StopReason reason);

struct CampaignReport {
  std::uint64_t best = 0;  // index in the space; the default unless something is faster
  Estimate elapsed = {};
  Estimate default_elapsed = {};
  Outcome outcome = {};
  std::vector<Standing> standings = {};  // what was run, in order
  std::vector<Failure> failures = {};
  std::map<std::uint64_t, Cost> costs = {};  // of what was tried, by index in the space
  std::uint64_t evaluations = 0;
  std::uint64_t resumed = 0;  // of them, answered from the journal
  double seconds = 0;
  double kernel_seconds = 0;  // of all workers: compiling and running kernels
  double search_seconds = 0;  // the search's own; 0: it has none
  StopReason stopped = StopReason::budget;
  bool is_timed_by_host = false;  // some run was, which contains its launch then
  // How many times faster than the default, from runs side by side. 1 if the default is the best.
  Gain gained = {};
  // How much slower the device was when these ran than in the race before: times of the race, such
  // as the runner-up's, are to be multiplied by it.
  double drift_since_race = 1;

  double gain() const { return gained.times; }
};

// Judges what a configuration has left in its outputs, which come in the order of Call: no text if
// they are right, else what is wrong, for people. An error ends the campaign.
using Verifier = std::function<Expected<std::optional<std::string>>(const Config& config,
                                                                    const Outputs& outputs)>;

struct TuneOptions {
  // Whichever comes first ends the search; 0 is no limit, but not for both unless the strategy is
  // one that records the space.
  double seconds = 15;
  std::uint64_t evaluations = 0;
  // natural: search. on: try all configurations where they are few. off is as natural: the caller
  // asked for it.
  Mode mode = Mode::natural;
  std::string strategy = "natural";  // one of `strategies()`
  std::uint64_t seed = 1;
  Files files = {};
  // Search even if this program, shape, space, device and driver have a decision already.
  bool again = false;
  // The new decision takes the place of the one that is there, even if the campaign did not compare
  // the two and that one rests on more samples.
  bool replaces = false;
  bool retry = false;              // try what failed in earlier campaigns, too
  std::vector<Config> first = {};  // tried first, behind the default; those outside are left out
  std::vector<Hint> hints = {};    // beside those that remembered decisions give
  WorkerOptions workers = {};
  RaceOptions race = {};
  // After each configuration; false ends the campaign, which can be resumed.
  std::function<bool(const Progress& progress)> on_progress = {};
  // For each configuration, those that a journal answers included.
  std::function<void(const Tried& tried)> on_tried = {};
  // While the campaign waits for its workers: several times a second, with the seconds since it
  // began. False ends the campaign at once, and what is under way is given up; it can be resumed.
  std::function<bool(double seconds)> on_wait = {};
  EventSink events = {};
  // Asked about each configuration whose outputs were found right by comparison, before it is
  // timed. For that it runs once more, in this process. Outputs that differ from one configuration
  // to another, such as partial sums, must be Opaque::ignored in the problem. Not used with an
  // `evaluator` of the caller's.
  Verifier verify = {};
  // Where decisions are looked up and kept; null: the device's file in `files`.
  DecisionCache* cache = nullptr;
  // Measures instead of the device itself: a recording, other machines. Must outlive the campaign.
  Evaluator* evaluator = nullptr;
};

// Every answer of a campaign in order, for vyre/explain.h.
struct CampaignJournal;

struct Tuned {
  std::string name = {};  // the problem's
  Key key = {};
  Decision decision = {};  // with its program, shape and evidence
  CampaignReport report = {};
  bool is_remembered = false;         // nothing was searched: this was decided before
  bool is_kept = false;               // in the cache, and served from now on
  std::string why_not_kept = {};      // for people
  std::optional<Error> unsaved = {};  // why it is not on disk
  // Why the campaign could not go on after it had measured something: it is interrupted, and the
  // report has what was found until then.
  std::optional<Error> ended_by = {};
  // Of this campaign or, if nothing was searched, of the one that decided; a file may be gone.
  // Null: none was kept.
  std::shared_ptr<const CampaignJournal> journal = {};

  bool is_interrupted() const { return report.stopped == StopReason::asked; }
};

// rejected: the default configuration itself does not run, or is wrong: then nothing can be
// compared with it, and the code is "default_" and the status, "build_limit" or "build_memory" (see
// WorkerOptions). bad_inputs: an empty budget, an
// unknown strategy, a problem that does not fit together. Any other failure is an error only if
// nothing was measured; else `ended_by` has it.
[[nodiscard]] Expected<Tuned> tune(std::shared_ptr<Device> device, const Problem& problem,
                                   const TuneOptions& options = {});

// The same one run at a time, for an application that does something else in between. Ended before
// its time, it goes on from its journal like any other.
class TuneSteps {
 public:
  // Compiles and runs the default configuration.
  [[nodiscard]] static Expected<TuneSteps> begin(std::shared_ptr<Device> device, Problem problem,
                                                 TuneOptions options);
  TuneSteps(TuneSteps&&) noexcept;
  TuneSteps& operator=(TuneSteps&&) = delete;
  ~TuneSteps();

  // A new configuration is compiled and verified, or a known one runs once. False: nothing is left
  // to do but to finish.
  [[nodiscard]] Expected<bool> step();
  // Once: makes the decision and keeps it.
  [[nodiscard]] Expected<Tuned> finish();
  // Instead, after an error of `step`: what was found until then, as `tune` returns it.
  [[nodiscard]] Expected<Tuned> finish_after(const Error& error);

 private:
  struct Content;
  explicit TuneSteps(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

// All measurements of a campaign as a recording, for T4 files.
recording::Recording recording_of(const Problem& problem, const CampaignReport& report);

}  // namespace vyre
