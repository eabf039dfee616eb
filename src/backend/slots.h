// Slots: the arguments of one call, in the order of the sequence's own declarations.
//
// Every form of a call, by name or as bytes, becomes Slots first. Planning, finding the bound call
// and running look at nothing else. Small interfaces need no allocation.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/small_array.h"
#include "vyre/call.h"

namespace vyre::backend {

// Where one buffer of the sequence is for one call.
struct Place {
  Buffer* device = nullptr;         // memory of the caller on the device, used as it is; or null
  const std::byte* from = nullptr;  // host memory that is copied in; or null
  std::byte* to = nullptr;          // host memory that the result is copied to; or null
  std::uint64_t bytes = 0;          // 0: the call does not say
};

struct Slots {
  explicit Slots(const ir::Sequence& sequence)
      : buffers(sequence.def().buffers.size()), symbols(sequence.def().symbols.size()) {}

  SmallArray<Place, 12> buffers;                         // by buffer of the sequence
  SmallArray<std::optional<std::uint64_t>, 12> symbols;  // bits by symbol; tunables have none
  bool is_on_host = false;                               // some memory is the host's
  // Not null: results go here, in declaration order, and no Place has a `to`. Resized to fit when
  // the results are there, so inputs may lie in it.
  Outputs* outputs = nullptr;
};

// Named arguments. bad_inputs: an unknown or repeated name, a number or memory where the other is
// wanted, elements of another type, a number that does not fit, memory that may not be written, one
// buffer in two places. Sizes are checked by make_plan.
Expected<void> place(const ir::Sequence& sequence, std::span<const Arg> args, Slots& slots);

// Shapes and scalars by name, as bits. bad_inputs: an unknown name, or bits that do not fit.
Expected<void> place(const ir::Sequence& sequence, std::span<const Argument> arguments,
                     Slots& slots);

// Inputs and arguments of a call as bytes. Null outputs: only sizes are wanted.
Expected<void> place(const ir::Sequence& sequence, const Call& call, Outputs* outputs,
                     Slots& slots);

inline CallOptions options_of(const Call& call) {
  return {.config = call.config, .grid = call.grid, .workgroup = call.workgroup};
}

}  // namespace vyre::backend
