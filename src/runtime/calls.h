// Calls: what a runtime knows about calls that it has seen, so that planning and looking up happen
// once per kind of call and not at every launch.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "vyre/runtime.h"

namespace vyre {

// How one kind of call is launched.
struct Prepared {
  ir::Sequence sequence;  // keeps its identity taken
  std::vector<std::uint64_t> shape = {};
  Key key = {};
  std::uint64_t output_elements = 0;
  std::uint64_t generation = 0;  // of the cache when it was resolved; 0: not yet
  Resolved resolved = {};
  Config config = {};  // of the tunables; empty: the defaults
  std::optional<Extent> workgroup = {};
  bool is_unproved = false;  // made for another shape: not yet known to give the same here
  bool is_open = false;      // launches are to be tuned; false in the steady state
  bool is_refused = false;   // the device will not run what the cache has
};

// Everything about a call that can change its shape or its decision.
using CallName = std::vector<std::uint64_t>;
CallName name_of(const ir::Sequence& sequence, const Call& call);

// The bytes of a call's inputs, which may lie in its outputs.
std::vector<std::vector<std::byte>> copies_of(std::span<const Input> inputs);

// Sizes of the interface and outputs; the call's own errors.
Expected<Prepared> prepare(const ir::Sequence& sequence, const Call& call,
                           const DeviceLimits& limits);

}  // namespace vyre
