// The program of a T1 kernel: its text, with the launch and the lengths that T1 writes.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problems/t1_arguments.h"
#include "vyre/space.h"

namespace vyre {

struct T1Program {
  ir::Program program;
  std::vector<std::string> warnings;
};

struct T1Source {
  std::string_view text;
  ir::Language language = ir::Language::opencl_c;
};

// Tunables are the parameters of the space, `untuned` their defaults; shapes are the sizes by name.
Expected<T1Program> program_of(const recording::KernelSpecification& kernel, const T1Source& source,
                               const std::vector<T1Argument>& arguments,
                               const std::vector<NamedSize>& sizes, const space::Space& space,
                               const Config& untuned);

}  // namespace vyre
