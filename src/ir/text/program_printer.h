// A whole program in the text form.

#pragma once

#include <string>

#include "vyre/program.h"

namespace vyre::ir {

// The result of `print` for a program.
std::string print_program(const Program& program);

}  // namespace vyre::ir
