// A T1 file as a whole.

#pragma once

#include "base/json_node.h"
#include "vyre/recording.h"

namespace vyre::recording {

// Errors name the place in the document, not the file.
Expected<T1File> read_t1_document(const JsonNode& root);

}  // namespace vyre::recording
