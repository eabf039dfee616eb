// Reference: what the default configuration gave, and how long it took. Candidates are compared
// with its outputs.

#pragma once

#include "vyre/call.h"

namespace vyre {

struct Reference {
  Outputs outputs = {};
  // Whether a run that finds the outputs of an earlier one leaves the same. A kernel that adds to
  // what it finds does not.
  bool is_repeatable = false;
  std::uint64_t elapsed_ns = 0;  // of its first run
};

}  // namespace vyre
