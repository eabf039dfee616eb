// Campaigns: from a problem and a budget to a decision that can be trusted.
//
//   auto evaluator = evaluate_in_process(device, problem);
//   auto report = run_campaign(problem, **evaluator, {.budget = {.seconds = 10}});
//
// The strategy asks, the evaluator compiles, verifies and samples, the race decides how often, and
// every answer goes into the journal before it is used. A campaign that is interrupted in any way
// continues from its journal: the same answers lead to the same questions, so nothing that was
// measured is measured again. The default configuration is always measured, and a decision is never
// slower than it.
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
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/decisions.h"
#include "vyre/problem.h"
#include "vyre/substrate/measure.h"
#include "vyre/substrate/search.h"

namespace vyre {

// In the application's own process and context. A candidate that crashes takes the process with it.
// Source programs have canaries behind what they write; whoever damages one is `correctness`.
Expected<std::unique_ptr<Evaluator>> evaluate_in_process(std::shared_ptr<Device> device,
                                                         const Problem& problem);

// In a process of its own, so that a candidate that crashes, hangs, takes all memory or loses the
// device costs one candidate and nothing else. Compiles ahead in further processes, which share
// what they have compiled through the binary store.
struct WorkerOptions {
  std::filesystem::path executable = {};  // vyre-worker, as it was installed
  std::string device = {};                // as open_device takes it; empty: the best
  // With a time limit for compiling; without a store nothing is compiled ahead.
  DeviceOptions device_options = {};
  std::chrono::milliseconds run_limit{10'000};  // a run that takes longer hangs: `timeout`
  std::uint64_t memory_limit = 0;               // bytes that candidates may take; 0: no limit
  std::optional<std::uint32_t> compilers = {};  // none: one per core, four at most
};
// `device`: what this process sees under that name; a worker that sees another is an error.
// rejected: the default configuration does not run.
Expected<std::unique_ptr<Evaluator>> evaluate_in_worker(const WorkerOptions& options,
                                                        const DeviceInfo& device,
                                                        const Problem& problem);

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
};

struct CampaignOptions {
  std::string strategy = "natural";
  std::uint64_t seed = 1;
  Budget budget = {};
  std::vector<std::uint64_t> seeds = {};     // configurations to try first, behind the default
  std::vector<Hint> hints = {};              // what siblings say about the space
  std::vector<Failure> known_failures = {};  // of earlier campaigns: never tried
  std::filesystem::path journal = {};        // empty: none
  RaceOptions race = {};
  // After each configuration; false ends the campaign as if its budget were spent.
  std::function<bool(const Progress& progress)> on_progress = {};
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
  std::uint64_t evaluations = 0;
  std::uint64_t resumed = 0;  // of them, answered from the journal
  double seconds = 0;
  double kernel_seconds = 0;  // of them, in this process: compiling and running kernels
  StopReason stopped = StopReason::budget;

  // How many times faster than the default.
  double gain() const { return elapsed.ns > 0 ? default_elapsed.ns / elapsed.ns : 1; }
};

// What is searched, for evaluators of any kind.
struct SearchTask {
  std::string name;      // for messages
  std::string identity;  // tells the campaign from others in the journal: one line
  space::Space space;
  std::uint64_t default_index = 0;
  std::function<Candidate(std::uint64_t index)> candidate = {};  // for ties; empty: by index
};
SearchTask task_of(const Problem& problem, const DeviceInfo& device);

// rejected: the default configuration itself does not run, or is wrong: then nothing can be
// compared with it. bad_inputs: an empty budget, an unknown strategy, a start outside the space.
Expected<CampaignReport> run_campaign(const SearchTask& task, Evaluator& evaluator,
                                      const CampaignOptions& options);

// The same one run at a time, for whoever does something else in between; run_campaign is a loop
// over it. Ended before its time, it goes on from its journal like any other.
class CampaignSteps {
 public:
  // As run_campaign; `evaluator` must outlive this.
  static Expected<CampaignSteps> begin(const SearchTask& task, Evaluator& evaluator,
                                       const CampaignOptions& options);
  CampaignSteps(CampaignSteps&&) noexcept;
  CampaignSteps& operator=(CampaignSteps&&) = delete;
  ~CampaignSteps();

  // A new configuration is compiled and verified, or a known one runs once. False: nothing is left
  // to do but to ask for the report. After an error there is no report.
  Expected<bool> step();
  // Whether the next step is answered from the journal, and costs nothing.
  bool is_replaying() const;
  // Once. The journal stays, so that whoever is killed before the decision is kept loses nothing.
  Expected<CampaignReport> report();
  // The decision is kept: nothing is left to resume.
  Expected<void> finish_journal();

 private:
  struct Content;
  explicit CampaignSteps(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

// 64 hexadecimal digits over parameters, values and constraints.
std::string digest_of(const space::Space& space);

// What the cache keeps of it, and under which key.
Decision decision_of(const Problem& problem, const CampaignReport& report,
                     const CampaignOptions& options);

// Configurations that failed, kept across campaigns by program, configuration and device identity:
// one JSON object per line, appended. Lines that are not understood are left alone.
class Quarantine {
 public:
  // Empty if there is no such file yet.
  static Expected<Quarantine> open(const std::filesystem::path& file);

  // Those of this problem's space on this device.
  std::vector<Failure> of(const Problem& problem, const Identity& identity) const;
  // What is known already is not written again. Durable when it returns.
  Expected<void> add(const Problem& problem, const Identity& identity,
                     std::span<const Failure> failures);

 private:
  explicit Quarantine(std::filesystem::path file) : file_(std::move(file)) {}

  using Known = std::vector<std::pair<Config, Status>>;

  std::filesystem::path file_;
  std::map<std::string, Known> known_;  // by program and identity
};

// What a decision for another device, driver or shape says about `space`: its configuration, its
// runner-up, as far as they are valid here.
Hint hint_of(const space::Space& space, const Decision& decision);

// What is remembered of the same program, for any shape, device and driver: a hint per decision.
std::vector<Hint> hints_from(const DecisionCache& cache, const Problem& problem);

// What was measured as a recording: T4.
recording::Recording recording_of(const Problem& problem, const CampaignReport& report);

}  // namespace vyre
