// A fast reader for the spelling of print_toml.
//
// A text that it accepts means the same to any TOML reader. It gives up at the first byte that
// print_toml would not have written there: another spelling, names out of order (so that no name
// can be there twice), anything beyond ASCII that is not escaped. It takes every text that
// print_toml writes: a text that it does not take is somebody else's, and has a lower limit.

#pragma once

#include <optional>
#include <string_view>

#include "decisions/toml.h"

namespace vyre::toml {

// None: print_toml would not have written this text.
std::optional<Table> read_plain(std::string_view text);

}  // namespace vyre::toml
