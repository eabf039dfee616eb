// Candidates in worker processes, as the campaign sees them.
//
// All workers are equal: each compiles, verifies and times its own candidates, so that nothing is
// compiled twice. One run is timed at a time. On a device that shares the host's cores all other
// workers are held meanwhile; on any other device they go on compiling, and nothing else runs
// there. The final race runs in one worker. Outputs are compared with the default's, which one
// worker makes for all.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "tune/device_evaluator.h"
#include "vyre/tune.h"

namespace vyre {

// The Error::code of a default configuration that took longer to compile than `build_limit`, or
// more memory than `build_memory`.
inline constexpr const char* kBuildLimitCode = "build_limit";
inline constexpr const char* kBuildMemoryCode = "build_memory";

struct InWorkersOptions {
  std::filesystem::path executable = {};  // vyre-worker
  std::string device = {};                // as open_device takes it; empty: the best
  // With a time limit for compiling, at the first launch too: some drivers compile then.
  DeviceOptions device_options = {};
  std::chrono::milliseconds run_limit{10'000};
  std::uint64_t memory_limit = 0;
  std::uint64_t build_memory = 0;             // as WorkerOptions has it; buffers do not count
  std::optional<std::uint32_t> workers = {};  // none: one per core, four at most
  // As TuneOptions has it. False: `next` fails, with an error for which `is_stop` holds.
  std::function<bool(double seconds)> on_wait = {};
};

// Whether this error says that `on_wait` has ended the campaign.
bool is_stop(const Error& error);

// Starts the workers and does not wait for them. `device`: what this process sees under that name;
// a worker that sees another is an error of `next`, as is one that does not come up. A worker that
// dies costs the candidate that it was busy with, if that one also fails alone in a fresh worker.
// `config_of`: empty for the problem's space.
Expected<std::unique_ptr<DeviceEvaluator>> evaluate_in_workers(const InWorkersOptions& options,
                                                               const DeviceInfo& device,
                                                               const Problem& problem,
                                                               ConfigOf config_of = {});

}  // namespace vyre
