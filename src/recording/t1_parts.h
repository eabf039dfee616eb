// The parts of a T1 file, each read into its part of a Problem.

#pragma once

#include "base/json_node.h"
#include "vyre/recording.h"

namespace vyre::recording {

// "ConfigurationSpace": parameters, defaults, conditions. Conditions are compiled, to name the
// place of an error, but no space is built.
Expected<void> read_configuration_space(const JsonNode& node, Problem& problem);

// "KernelSpecification". Sizes that do not compile over the problem's parameters, which therefore
// must have been read before, are warnings.
Expected<void> read_kernel_specification(const JsonNode& node, Problem& problem);

// One of "Arguments".
Expected<Argument> read_argument(const JsonNode& node, Problem& problem);

// "ReferenceArguments", and KTT's older "ReferenceData".
Expected<void> read_references(const JsonNode& kernel, Problem& problem);

}  // namespace vyre::recording
