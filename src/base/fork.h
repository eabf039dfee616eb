// Forks of this process: threads, locks and drivers do not survive them.
//
// A child that goes on with its parent's objects waits for threads that it does not have. Objects
// that own threads or locks remember the generation that they were made in, and refuse to work in a
// later one. A child that calls exec at once is not concerned.

#pragma once

#include <cstdint>

namespace vyre {

// How many forks lie between the first process and this one, as far as fork() was used. A relaxed
// load, after the first call.
std::uint64_t fork_generation();

// Descriptors that a child must not keep, because a lock goes with them: `fork` closes them in the
// child. The set has room for 64 and does nothing beyond. The descriptor is to be removed before it
// is closed. Thread-safe.
void close_in_children(int descriptor);
void keep_in_children(int descriptor);

}  // namespace vyre
