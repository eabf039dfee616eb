// Reference: the outputs that candidates are compared with.

#pragma once

#include "vyre/call.h"

namespace vyre {

struct Reference {
  Outputs outputs = {};
  // Whether a run that finds the outputs of an earlier one leaves the same. A kernel that adds to
  // what it finds does not.
  bool is_repeatable = false;
};

}  // namespace vyre
