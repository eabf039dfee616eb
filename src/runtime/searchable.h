// Searchable: what may be tried for one program, in the form in which campaigns take it.
//
// The parameters of a campaign's space are tunables. A program without any, whose workgroup size is
// free, is given one for it here; decisions name the size in their own way (workgroup_config).

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vyre/runtime.h"

namespace vyre {

struct Searchable {
  ir::Sequence sequence;  // its tunables are the space's parameters
  space::Space space;
  std::uint64_t default_index = 0;
  Tolerance tolerance = {};
  std::vector<Opaque> opaque_outputs = {};
  bool is_workgroup = false;  // the one parameter is the workgroup size on axis x

  // As decisions have it, and back; none: not in the space.
  Config kept_config(std::uint64_t index) const;
  std::optional<std::uint64_t> find(const Config& kept) const;
};

Expected<Searchable> make_searchable(const ir::Sequence& sequence, const Declaration& declaration);

// None: results may depend on the size, or there is nothing to choose from.
std::optional<Searchable> make_workgroup_searchable(const ir::Sequence& sequence,
                                                    const DeviceLimits& limits);

// The default, at index 0, and one other configuration, as decisions have it, at index 1 unless it
// is the default; whether or not a space lists it. bad_inputs: the sequence has no such tunables.
Expected<Searchable> make_pair_searchable(const ir::Sequence& sequence, const Config& kept,
                                          const DeviceLimits& limits);

}  // namespace vyre
