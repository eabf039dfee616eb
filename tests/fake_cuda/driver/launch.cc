#include "fake_cuda/driver/launch.h"

#include <algorithm>

#include "fake_cuda/driver/block.h"
#include "fake_cuda/driver/errors.h"
#include "fake_cuda/driver/special_registers.h"

namespace fake_cuda {
namespace {

constexpr std::uint32_t kWarp = 32;

using Place = std::array<std::uint32_t, 3>;

void fill_specials(Thread& thread, const Grid& grid, const Place& block, std::uint32_t number) {
  const auto& size = grid.threads;
  const Place place{number % size[0], number / size[0] % size[1], number / size[0] / size[1]};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    thread.r[kTid + axis] = place[axis];
    thread.r[kNtid + axis] = size[axis];
    thread.r[kCtaid + axis] = block[axis];
    thread.r[kNctaid + axis] = grid.blocks[axis];
  }
  const std::uint32_t lane = number % kWarp;
  const std::uint32_t bit = std::uint32_t{1} << lane;
  thread.r[kLaneid] = lane;
  thread.r[kWarpid] = number / kWarp;
  thread.r[kNwarpid] = (size[0] * size[1] * size[2] + kWarp - 1) / kWarp;
  thread.r[kLanemaskEq] = bit;
  thread.r[kLanemaskLt] = bit - 1;
  thread.r[kLanemaskLe] = bit | (bit - 1);
  thread.r[kLanemaskGe] = static_cast<std::uint32_t>(~(bit - 1));
  thread.r[kLanemaskGt] = static_cast<std::uint32_t>(~(bit | (bit - 1)));
  thread.r[kSmid] = 0;
  thread.r[kNsmid] = 1;
  thread.r[kGridid] = 1;
  thread.r[kDynamicShared] = grid.dynamic_shared;
  thread.r[kTotalShared] = thread.launch->shared.size();
}

}  // namespace

void run_grid(Launch& launch, const Grid& grid) {
  const std::uint32_t count = grid.threads[0] * grid.threads[1] * grid.threads[2];
  std::vector<Thread> threads(count);
  for (const auto& code : launch.kernel->functions) {
    for (const Instruction& instruction : code->instructions) instruction.seen = nullptr;
  }
  Place block{};
  for (block[2] = 0; block[2] < grid.blocks[2]; ++block[2]) {
    for (block[1] = 0; block[1] < grid.blocks[1]; ++block[1]) {
      for (block[0] = 0; block[0] < grid.blocks[0]; ++block[0]) {
        std::ranges::fill(launch.shared, kPoison);
        for (std::uint32_t number = 0; number < count; ++number) {
          threads[number].start(launch);
          fill_specials(threads[number], grid, block, number);
        }
        run_block(launch, threads);
        if (launch.fault.error != kSuccess) return;
      }
    }
  }
}

}  // namespace fake_cuda
