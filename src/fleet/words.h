// The words of a command, split as a shell splits them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vyre/error.h"

namespace vyre::fleet {

// Spaces separate words; '...' and "..." are parts of one, and a backslash keeps the next character
// as it is ("..." keeps it for a quote and a backslash only). Nothing is expanded and no shell
// runs: $HOME, * and ; are plain characters. bad_inputs: a quote is not closed, or there is no
// word.
Expected<std::vector<std::string>> split_words(std::string_view command);

}  // namespace vyre::fleet
