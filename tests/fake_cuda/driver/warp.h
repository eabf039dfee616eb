// What the threads of a warp do together: shfl, vote, redux and bar.warp.

#pragma once

#include <span>

#include "fake_cuda/driver/thread.h"

namespace fake_cuda {

// Carries out the operations whose lanes have all come to them: all that the mask names and that
// have not exited. False where there is none.
bool run_collectives(std::span<Thread> threads);

}  // namespace fake_cuda
