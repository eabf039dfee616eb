// run_grid: all blocks of a launch, one after another.

#pragma once

#include <array>
#include <cstdint>

#include "fake_cuda/driver/thread.h"

namespace fake_cuda {

struct Grid {
  std::array<std::uint32_t, 3> blocks{};
  std::array<std::uint32_t, 3> threads{};  // of a block
  std::uint32_t dynamic_shared = 0;
};

// Ends with the first fault, which stays in `launch`. Memory, parameters and the budget of steps
// are the caller's to set.
void run_grid(Launch& launch, const Grid& grid);

}  // namespace fake_cuda
