// cuLaunchKernel, and what a person asks after a fault.

#include <cstdio>
#include <cstring>

#include "fake_cuda/driver/launch.h"
#include "fake_cuda/driver/limits.h"
#include "fake_cuda/driver/state.h"

using namespace fake_cuda;
namespace cuda = vyre::backend::cuda;

namespace {

bool is_zero(const std::array<std::uint32_t, 3>& size) {
  return size[0] == 0 || size[1] == 0 || size[2] == 0;
}

bool exceeds(const std::array<std::uint32_t, 3>& size, const std::array<std::uint32_t, 3>& most) {
  return size[0] > most[0] || size[1] > most[1] || size[2] > most[2];
}

int check_sizes(const Kernel& kernel, const Grid& grid) {
  const auto& size = grid.threads;
  if (is_zero(grid.blocks) || is_zero(size)) return kInvalidValue;
  if (exceeds(grid.blocks, kMostGrid) || exceeds(size, kMostBlock)) return kInvalidValue;
  const std::uint64_t threads = std::uint64_t{size[0]} * size[1] * size[2];
  if (threads > kMostThreads) return kInvalidValue;
  const auto& most = kernel.entry().max_threads;
  if (most[0] != 0 && threads > std::uint64_t{most[0]} * most[1] * most[2]) return kInvalidValue;
  const auto& required = kernel.entry().required_threads;
  if (required[0] != 0 && size != required) return kInvalidValue;
  const std::uint64_t dynamic =
      kernel.most_dynamic != 0 ? kernel.most_dynamic : kMostShared - kernel.static_shared;
  return grid.dynamic_shared > dynamic ? kInvalidValue : kSuccess;
}

// From pointers to each parameter, or from a buffer that has them all.
int fill_parameters(const Function& entry, void** parameters, void** extra,
                    std::vector<std::uint8_t>& to) {
  const Variable* last = entry.parameters.empty() ? nullptr : entry.parameters.back();
  to.assign(last != nullptr ? last->offset + last->bytes : 0, 0);
  if (last == nullptr) return kSuccess;
  if (parameters != nullptr && extra != nullptr) return kInvalidValue;
  if (extra != nullptr) {
    const void* buffer = nullptr;
    std::size_t bytes = 0;
    for (; reinterpret_cast<std::uintptr_t>(*extra) != 0; extra += 2) {
      if (reinterpret_cast<std::uintptr_t>(*extra) == 1) buffer = extra[1];
      if (reinterpret_cast<std::uintptr_t>(*extra) == 2) {
        bytes = *static_cast<const std::size_t*>(extra[1]);
      }
    }
    if (buffer == nullptr || bytes < to.size()) return kInvalidValue;
    std::memcpy(to.data(), buffer, to.size());
    return kSuccess;
  }
  if (parameters == nullptr) return kInvalidValue;
  for (std::size_t at = 0; at < entry.parameters.size(); ++at) {
    const Variable& parameter = *entry.parameters[at];
    if (parameters[at] == nullptr) return kInvalidValue;
    std::memcpy(to.data() + parameter.offset, parameters[at], parameter.bytes);
  }
  return kSuccess;
}

int run_launch(State& all, Context& context, const Kernel& kernel, const Grid& grid,
               void** parameters, void** extra) {
  Launch launch;
  launch.kernel = &kernel;
  launch.memory = &context.memory;
  launch.steps_left = wished_steps();
  launch.shared.resize(grid.dynamic_shared > 0 ? kernel.dynamic_start + grid.dynamic_shared
                                               : kernel.static_shared);
  const int filled = fill_parameters(kernel.entry(), parameters, extra, launch.parameters);
  if (filled != kSuccess) return filled;
  run_grid(launch, grid);
  if (launch.fault.error == kSuccess) return kSuccess;
  context.error = launch.fault.error;
  all.last_fault = launch.fault.text;
  if (wishes_log()) std::fprintf(stderr, "fake_cuda: %s\n", all.last_fault.c_str());
  return kSuccess;  // as on a card, the next call tells
}

}  // namespace

FAKE_CUDA_ENTRY cuLaunchKernel(cuda::DriverFunction function, unsigned grid_x, unsigned grid_y,
                               unsigned grid_z, unsigned block_x, unsigned block_y,
                               unsigned block_z, unsigned shared_bytes, cuda::DriverStream stream,
                               void** parameters, void** extra) {
  return call_in_context("cuLaunchKernel", [&](State& all, Context& context) -> int {
    const LoadedFunction* found = all.find_function(context, function);
    if (found == nullptr) return kInvalidHandle;
    if (reinterpret_cast<std::uintptr_t>(stream) > 2 && !context.streams.contains(stream)) {
      return kInvalidHandle;
    }
    const Grid grid{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
    const int checked = check_sizes(*found->kernel, grid);
    if (checked != kSuccess) return checked;
    return run_launch(all, context, *found->kernel, grid, parameters, extra);
  });
}

// Not CUDA's: what the last fault was, and where; empty if there was none. Valid until the next
// one.
extern "C" __attribute__((visibility("default"))) const char* vyre_fake_cuda_last_fault() {
  const std::lock_guard lock(state_mutex());
  return state().last_fault.c_str();
}
