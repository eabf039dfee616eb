// The parameters of an OpenCL C kernel, as far as its text shows them. That is enough to find
// arguments that do not match before anything is compiled.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problems/t1_arguments.h"

namespace vyre {

// Compares the arguments, in order, with the parameters of the kernel `entry` in `text`. Fails if
// there is no such kernel, on another number of parameters, on a buffer where a scalar is expected
// and the reverse, and on a type of another size or kind. Types hidden by a macro or typedef are
// not checked.
Expected<void> check_signature(std::string_view text, std::string_view entry,
                               const std::vector<T1Argument>& arguments);

}  // namespace vyre
