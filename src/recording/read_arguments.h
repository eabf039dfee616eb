// The arguments of a T1 file's kernel, and the reference data that outputs are compared with.

#pragma once

#include "base/json_node.h"
#include "vyre/recording.h"

namespace vyre::recording {

// One of "Arguments".
Expected<ArgumentSpecification> read_argument(const JsonNode& node, T1File& t1);

// "ReferenceArguments", and KTT's older "ReferenceData".
Expected<void> read_references(const JsonNode& kernel, T1File& t1);

}  // namespace vyre::recording
