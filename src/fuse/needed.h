// Which buffers must still hold their content when a run of steps is over.

#pragma once

#include <cstdint>
#include <vector>

#include "vyre/program.h"

namespace vyre::fuse {

// By buffer of the sequence. A buffer is needed if it is an output or the flag of the repeat, or if
// a step may load what the steps `first` to `last` have stored: one behind them, one before them in
// the next round of the repeat, or one of them in the next round before it is stored anew. The
// sequence must be valid, and the steps wholly inside or outside the repeat.
std::vector<bool> needed_after(const ir::SequenceDef& sequence, std::uint32_t first,
                               std::uint32_t last);

}  // namespace vyre::fuse
