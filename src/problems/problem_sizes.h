// The sizes of a T1 problem by name, and T1's expressions with them filled in.
//
// T1 lists its sizes and calls them ProblemSize[0]. Here they have names too: those of the field
// ProblemSizeNames, else problem_size_x, problem_size_y, problem_size_z.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/problem.h"
#include "vyre/recording.h"

namespace vyre {

struct NamedSize {
  std::string name;
  std::uint32_t value = 0;
};

// The sizes of the T1 file, with those in `wanted` replaced.
Expected<std::vector<NamedSize>> problem_sizes(const recording::KernelSpecification& kernel,
                                               const ProblemSizes& wanted);

// Fails if an expression of the file names a ProblemSize that the file does not give.
Expected<void> check_size_names(const recording::T1File& t1, const std::vector<NamedSize>& sizes);

// Replaces ProblemSize[1] by its name: the result is an Expression over parameters and sizes by
// name.
std::string with_size_names(std::string_view text, const std::vector<NamedSize>& sizes);

// Replaces each size, in both spellings, by its number: the result is an Expression over the
// parameters only.
std::string with_size_values(std::string_view text, const std::vector<NamedSize>& sizes);

// "width = 1024, height = 768"
std::string to_string(const std::vector<NamedSize>& sizes);

}  // namespace vyre
