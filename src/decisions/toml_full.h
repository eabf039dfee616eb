// A reader for any TOML, by toml++, within the limit on depth.

#pragma once

#include <string_view>

#include "decisions/toml.h"

namespace vyre::toml {

// `name` is the file, for the messages about text that is no TOML.
Expected<Table> read_full(std::string_view text, std::string_view name);

}  // namespace vyre::toml
