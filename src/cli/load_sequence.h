// A program or sequence from a file in text form.

#pragma once

#include <string>

#include "vyre/program.h"

namespace vyre::cli {

// Errors name the file.
Expected<ir::Sequence> load_sequence(const std::string& file);

}  // namespace vyre::cli
