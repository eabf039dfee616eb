// The Error::code of a default configuration that failed, as vyre/tune.h promises it.

#pragma once

#include <fmt/format.h>

#include <string>

#include "vyre/recording.h"

namespace vyre {

inline std::string default_code(recording::Status status) {
  return fmt::format("default_{}", recording::to_string(status));
}

}  // namespace vyre
