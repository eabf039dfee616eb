#include "tune/evaluators.h"

#include <dlfcn.h>

#include "base/error.h"
#include "base/files/paths.h"
#include "base/text.h"
#include "tune/in_process.h"
#include "tune/problem_call.h"
#include "tune/worker/workers.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWorker = "vyre-worker";

fs::path executable_of(const WorkerOptions& options) {
  return options.executable.empty() ? find_worker() : options.executable;
}

// The interpreter cannot crash, and is no driver's.
bool needs_worker(const DeviceInfo& device) {
  return device.executes && device.backend != "reference" && !device.selector.empty();
}

}  // namespace

fs::path find_worker() { return find_installed(kWorker); }

fs::path find_installed(const char* program) {
  std::error_code ignored;
  std::vector<fs::path> folders{fs::read_symlink("/proc/self/exe", ignored).parent_path()};
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&find_worker), &info) != 0 &&
      info.dli_fname != nullptr) {
    folders.push_back(fs::absolute(info.dli_fname, ignored).parent_path());
  }
  for (const fs::path& folder : folders) {
    for (const fs::path& place : {folder / program, folder.parent_path() / "bin" / program,
                                  folder.parent_path().parent_path() / "bin" / program}) {
      if (fs::is_regular_file(place, ignored)) return place;
    }
  }
  return {};
}

bool runs_in_workers(const WorkerOptions& options, const DeviceInfo& device) {
  if (options.isolation != Isolation::automatic) return options.isolation == Isolation::workers;
  return needs_worker(device) && !executable_of(options).empty();
}

Expected<std::unique_ptr<DeviceEvaluator>> make_evaluator(const TuneOptions& wishes,
                                                          const std::shared_ptr<Device>& device,
                                                          const Problem& problem,
                                                          const ConfigOf& config_of) {
  const WorkerOptions& options = wishes.workers;
  const DeviceInfo& info = device->info();
  if (!runs_in_workers(options, info)) return evaluate_in_process(device, problem, config_of);
  const fs::path executable = executable_of(options);
  if (executable.empty()) {
    return bad_inputs(
        "{} is not beside the library or the program; name it, or run candidates in "
        "this process",
        kWorker);
  }
  if (info.selector.empty()) {
    return bad_inputs(
        "{} was handed in by the application, so no worker can open it; run candidates "
        "in this process",
        quote(info.name));
  }
  VYRE_TRY(const Problem sent, on_host(problem));
  return evaluate_in_workers({.executable = executable,
                              .device = info.selector,
                              .device_options = {.binary_store = kernels_folder(wishes.files),
                                                 .build_limit = options.build_limit},
                              .run_limit = options.run_limit,
                              .memory_limit = options.memory_limit,
                              .build_memory = options.build_memory,
                              .workers = options.workers,
                              .on_wait = wishes.on_wait},
                             info, sent, config_of);
}

}  // namespace vyre
