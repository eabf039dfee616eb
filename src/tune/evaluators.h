// Evaluators that run a problem's candidates: in this process, or in workers.

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "vyre/tune.h"

namespace vyre {

// In this process and on this device. Source programs have canaries behind the memory they write; a
// candidate that damages one is `correctness`. rejected: the default configuration does not run.
Expected<std::unique_ptr<Evaluator>> evaluate_in_process(std::shared_ptr<Device> device,
                                                         const Problem& problem);

struct InWorkerOptions {
  std::filesystem::path executable = {};  // vyre-worker
  std::string device = {};                // as open_device takes it; empty: the best
  // With a time limit for compiling; without a store nothing is compiled ahead.
  DeviceOptions device_options = {};
  std::chrono::milliseconds run_limit{10'000};
  std::uint64_t memory_limit = 0;
  std::optional<std::uint32_t> compilers = {};
};
// In a process of its own, with further processes that compile ahead into the binary store.
// `device`: what this process sees under that name; a worker that sees another is an error.
// rejected: the default configuration does not run.
Expected<std::unique_ptr<Evaluator>> evaluate_in_worker(const InWorkerOptions& options,
                                                        const DeviceInfo& device,
                                                        const Problem& problem);

// vyre-worker as it was installed with the library; empty: it is in none of the usual places.
std::filesystem::path find_worker();

// Whether candidates of this device run in workers, by these options.
bool runs_in_workers(const WorkerOptions& options, const DeviceInfo& device);

// The evaluator that the options ask for.
Expected<std::unique_ptr<Evaluator>> make_evaluator(const WorkerOptions& options,
                                                    const Files& files,
                                                    const std::shared_ptr<Device>& device,
                                                    const Problem& problem);

}  // namespace vyre
