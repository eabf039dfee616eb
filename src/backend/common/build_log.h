// The part of a compiler's log that matters, on one line.

#pragma once

#include <string>
#include <string_view>

namespace vyre::backend {

// The lines that tell an error, as "error: " does. If there are none, those with the word, and if
// there are none of these either, all that are not blank. At most about 8800 bytes, 400 of a line,
// without control characters.
std::string shortened_log(std::string_view log);

}  // namespace vyre::backend
