// Choice: what may be tried for one program, and how its results are compared.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vyre/runtime.h"

namespace vyre {

struct Choice {
  space::Space space;  // over tunables of the sequence, or over kWorkgroupNames
  std::uint64_t default_index = 0;
  Tolerance tolerance = {.absolute = 0, .relative = 0};
  std::vector<Opaque> opaque_outputs = {};
};

// bad_inputs: a parameter that is no tunable, or defaults that are not in the space.
Expected<Choice> declared_choice(const ir::Sequence& sequence, const Declaration& declaration);

// Of its workgroup size. None: results may depend on the size, or there is nothing to choose from.
std::optional<Choice> free_choice(const ir::Sequence& sequence, const DeviceLimits& limits);

// Between the default, at index 0, and one other configuration, at index 1 unless it is the
// default; whether or not a space lists it. bad_inputs: the sequence has no such tunables.
Expected<Choice> choice_of_two(const ir::Sequence& sequence, const Config& other,
                               const DeviceLimits& limits);

}  // namespace vyre
