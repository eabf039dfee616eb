// Chooses where a problem's candidates run: in this process (in_process.h) or in workers
// (worker/workers.h).

#pragma once

#include <filesystem>
#include <memory>

#include "tune/device_evaluator.h"
#include "vyre/tune.h"

namespace vyre {

// A program of ours as it was installed with the library: beside it, beside this program, or in a
// bin folder there. Empty: it is in none of these places.
std::filesystem::path find_installed(const char* program);
// vyre-worker as it was installed with the library; empty: it is in none of the usual places.
std::filesystem::path find_worker();

// Whether candidates of this device run in workers, by these options.
bool runs_in_workers(const WorkerOptions& options, const DeviceInfo& device);

// The evaluator that the options ask for. `config_of`: empty for the problem's space.
Expected<std::unique_ptr<DeviceEvaluator>> make_evaluator(const TuneOptions& options,
                                                          const std::shared_ptr<Device>& device,
                                                          const Problem& problem,
                                                          const ConfigOf& config_of = {});

}  // namespace vyre
