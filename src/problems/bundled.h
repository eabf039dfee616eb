// The common parts of the bundled problems: sizes with defaults, a space, random data.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "problems/problem_sizes.h"
#include "vyre/builder.h"
#include "vyre/problem.h"

namespace vyre {

// Programs of the kernel language with everything to tune them.
struct Bundled {
  std::string name;
  std::vector<NamedSize> sizes;  // with their defaults
  // Constraints may use the sizes by name.
  space::Definition space;
  Config untuned;
  Expected<ir::Sequence> (*sequence)();  // its shapes are named as the sizes
  // Random elements in [-1, 1) of each input, as a function of the sizes.
  std::function<std::vector<std::uint64_t>(const ProblemSizes&)> input_lengths;
  std::vector<std::pair<std::string, float>> scalars;
  Tolerance tolerance;
  std::vector<Metric> metrics;
};

Expected<Problem> make_bundled(const Bundled& bundled, const ProblemSizes& wanted);

// A tunable for every parameter of the space, with the untuned value as its default.
ir::Value tunable(ir::Builder& b, const Config& untuned, std::string_view name);

Expected<ir::Sequence> sequence_of(std::string_view name, void (*body)(ir::Builder&));

}  // namespace vyre
