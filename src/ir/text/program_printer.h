// A whole program in the text form.

#pragma once

#include <string>

#include "vyre/program.h"

namespace vyre::ir {

// What `print` returns for a program.
std::string print_program(const Program& program);

}  // namespace vyre::ir
