// Decisions in other forms, on standard output.

#pragma once

#include <string>
#include <vector>

#include "cli/decisions.h"

namespace vyre::cli {

Expected<void> print_json(const std::vector<Listed>& listed);

// "v1": the original's lines, of keys that it understands; "json"; "c-header": a constant to build
// into an application, for CacheOptions::embedded.
Expected<void> print_as(const std::string& format, const std::vector<Listed>& listed);

}  // namespace vyre::cli
