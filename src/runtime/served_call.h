// ServedCall: how one kind of call is launched, worked out once and kept until the cache changes.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backend/bound_call.h"
#include "vyre/runtime.h"

namespace vyre {

struct ServedCall {
  ir::Sequence sequence;
  std::vector<std::uint64_t> shape = {};
  Key key = {};
  std::uint64_t output_elements = 0;
  std::uint64_t generation = 0;  // of the cache when the decision was looked up
  Resolved resolved = {};
  Config config = {};  // of the tunables; empty: the defaults
  std::optional<Extent> workgroup = {};
  std::optional<Extent> grid = {};  // the call's own
  bool is_unproved = false;         // made for another shape: not yet known to give the same here
  bool is_open = false;             // launches are to be tuned; false in the steady state
  bool is_refused = false;          // the device will not run what the cache has
  bool is_agreed = false;           // what is decided is of the snapshot that all ranks serve
  // Kernels and plan with all of the above. Null: a launch has more to do than to run.
  std::shared_ptr<const backend::BoundCall> bound = {};

  CallOptions tuned_options() const {
    return {.config = config.empty() ? nullptr : &config, .grid = grid, .workgroup = workgroup};
  }
  CallOptions default_options() const { return {.grid = grid}; }
};

// Sizes of the interface and outputs; the call's own errors.
Expected<ServedCall> describe_call(const ir::Sequence& sequence, const backend::Slots& slots,
                                   const std::optional<Extent>& grid, const DeviceLimits& limits);

}  // namespace vyre
