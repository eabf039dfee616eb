// The part "ConfigurationSpace" of a T1 file.

#pragma once

#include "base/json_node.h"
#include "vyre/recording.h"

namespace vyre::recording {

// Parameters, defaults and conditions. Conditions are compiled, so that an error names its place,
// but no space is built.
Expected<void> read_configuration_space(const JsonNode& node, T1File& t1);

}  // namespace vyre::recording
