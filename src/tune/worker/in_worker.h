// Candidates in a worker process, as the campaign sees them.

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "vyre/tune.h"

namespace vyre {

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

}  // namespace vyre
