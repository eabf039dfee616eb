// A recording as a T4 file.

#pragma once

#include <string>

#include "vyre/recording.h"

namespace vyre::recording {

// Fails on values that T4 cannot hold.
Expected<std::string> write_t4_document(const Recording& recording);

}  // namespace vyre::recording
