// gzip, in memory.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "vyre/error.h"

namespace vyre {

// Whether the bytes start as gzip does; file names lie.
bool is_gzip(std::string_view bytes);

// Unpacks one or more gzip members in sequence; zero padding at the end is allowed, as in
// gzip(1). Fails (bad_inputs, without a file name: the caller knows it) on damaged or cut data,
// on other bytes after the last member, and as soon as the output would exceed `max_bytes`.
Expected<std::string> gunzip(std::string_view packed, std::size_t max_bytes);

// One member; the same input always gives the same bytes (no time stamp, no name).
Expected<std::string> gzip(std::string_view bytes);

}  // namespace vyre
