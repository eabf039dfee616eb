// The parameters of a kernel in OpenCL C, CUDA C++ or HIP C++, as far as its text shows them. That
// is enough to find arguments that do not match before anything is compiled.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problems/t1_arguments.h"

namespace vyre {

// Gives each argument in constant memory its symbol, if the text declares a `__constant__` array of
// the argument's name. Without such an array the argument is an ordinary parameter.
void find_symbols(std::string_view text, ir::Language language, std::vector<T1Argument>& arguments);

// Compares the arguments that are parameters, in order, with the parameters of the kernel `entry`
// in `text`. Fails if there is no such kernel, on another number of parameters, on a buffer where a
// scalar is expected and the reverse, and on a type of another size or kind. Types hidden by a
// macro, a typedef or a template are not checked.
Expected<void> check_signature(std::string_view text, ir::Language language, std::string_view entry,
                               const std::vector<T1Argument>& arguments);

}  // namespace vyre
