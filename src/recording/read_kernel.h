// The part "KernelSpecification" of a T1 file.

#pragma once

#include "base/json_node.h"
#include "vyre/recording.h"

namespace vyre::recording {

// The parameters must have been read before: a size that does not compile over them is a warning.
Expected<void> read_kernel_specification(const JsonNode& node, T1File& t1);

}  // namespace vyre::recording
