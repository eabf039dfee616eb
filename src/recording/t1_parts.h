// The parts of a T1 file, each read into its part of a Problem.

#pragma once

#include "recording/json.h"
#include "vyre/recording.h"

namespace vyre::recording {

// "ConfigurationSpace": parameters, defaults, conditions. Conditions are compiled, to name the
// place of an error, but no space is built.
Expected<void> read_configuration_space(const Node& node, Problem& problem);

// "KernelSpecification". Sizes that do not compile over the problem's parameters, which therefore
// must have been read before, are warnings.
Expected<void> read_kernel_specification(const Node& node, Problem& problem);

// One of "Arguments".
Expected<Argument> read_argument(const Node& node, Problem& problem);

// "ReferenceArguments", and KTT's older "ReferenceData".
Expected<void> read_references(const Node& kernel, Problem& problem);

}  // namespace vyre::recording
