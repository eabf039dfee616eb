// The part of a compiler's log that matters, on one line.

#pragma once

#include <string>
#include <string_view>

namespace vyre::backend::opencl {

// The first lines that speak of an error, else the first lines that say anything; at most about
// 400 bytes, control characters removed.
std::string shortened_log(std::string_view log);

}  // namespace vyre::backend::opencl
