// A recording from a T4 file.

#pragma once

#include <string_view>

#include "vyre/recording.h"

namespace vyre::recording {

// Errors name the place in the document, not the file.
Expected<Recording> read_t4_document(std::string_view text);

}  // namespace vyre::recording
