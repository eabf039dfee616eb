// The process that fault tests kill: this test program itself, started again with other arguments.
//
//   PROGRAM --saver FOLDER FIRST COUNT: offers decisions FIRST, FIRST + 1, ... and saves after
//   each; prints the number of each whose save has returned, one per line, at once.

#pragma once

#include <filesystem>

#include "vyre/decisions.h"

namespace vyre::faults {

CacheOptions options_for(const std::filesystem::path& folder);
Key key(std::uint64_t n);
Decision decision(std::uint64_t n);

int saver_main(int argc, char** argv);

}  // namespace vyre::faults
