// The space that can be launched: T1's own conditions, and those that follow from the sizes.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problems/problem_sizes.h"
#include "vyre/space.h"

namespace vyre {

// The number of workgroups that T1 wants on an axis (0 to 2), as an Expression over parameters and
// sizes by name. GridDivX and ProblemSize go before GlobalSize. GlobalSize counts invocations if
// GlobalSizeType is "OpenCL", else workgroups; where it is not given, the kernel's language
// decides.
std::string groups_of(const recording::KernelSpecification& kernel, std::size_t axis,
                      const std::vector<NamedSize>& sizes);

// Leaves out configurations whose workgroups do not divide the invocations. If no configuration is
// left, the error names the sizes.
Expected<space::Space> space_of(const recording::T1File& t1, const std::vector<NamedSize>& sizes);

// A warning for each axis on which GlobalSize does not mean what GridDiv and ProblemSize mean, by
// the number of workgroups of the configuration `untuned`. A GlobalSize that repeats the problem
// size, as files of Kernel Tuner have it, means the same.
std::vector<std::string> grid_warnings(const recording::KernelSpecification& kernel,
                                       const std::vector<NamedSize>& sizes, const Config& untuned);

struct Default {
  std::uint64_t index = 0;
  std::vector<std::string> warnings;
};
// The declared default or the nearest valid configuration; without a declared one, the
// configuration nearest to the first values.
Expected<Default> default_configuration(const recording::T1File& t1, const space::Space& space);

}  // namespace vyre
