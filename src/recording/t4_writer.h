// A recording as a T4 file.

#pragma once

#include <string>

#include "vyre/recording.h"

namespace vyre::recording {

// Fails if a recording breaks its promises, or has numbers that JSON cannot hold.
Expected<void> check_writable(const Recording& recording);

// Fails on values that T4 cannot hold.
Expected<std::string> write_t4_document(const Recording& recording);

}  // namespace vyre::recording
