// The check of offsets into buffers, for all backends.

#pragma once

#include <cstddef>

#include "base/error.h"

namespace vyre::backend {

inline Expected<void> check_range(std::size_t offset, std::size_t bytes, std::size_t buffer_bytes) {
  if (offset <= buffer_bytes && bytes <= buffer_bytes - offset) return {};
  return bad_inputs("{} bytes at offset {} are outside a buffer of {} bytes", bytes, offset,
                    buffer_bytes);
}

}  // namespace vyre::backend
