// The part of a compiler's log that matters, on one line.

#pragma once

#include <string>
#include <string_view>

namespace vyre::backend {

// The first lines that contain "error". If there are none, the first lines that are not blank. At
// most about 400 bytes, without control characters.
std::string shortened_log(std::string_view log);

}  // namespace vyre::backend
