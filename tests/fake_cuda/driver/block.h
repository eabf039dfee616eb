// run_block: the threads of a block until all have exited.
//
// A thread runs until it meets a barrier, joins an operation of its warp, or exits; then the next
// one runs. Threads that have exited do not count at a barrier, as on every card since Volta. All
// others must stand at the same barrier instruction; if they do not, the launch fails, where a card
// would hang or go on with wrong data. A barrier with a count of threads opens when so many
// threads stand at its number.

#pragma once

#include <span>

#include "fake_cuda/driver/thread.h"

namespace fake_cuda {

// The threads are started, in order of their numbers.
void run_block(Launch& launch, std::span<Thread> threads);

}  // namespace fake_cuda
