// What the compiler gets and what a launch passes, for either kind of program.

#pragma once

#include <string>
#include <vector>

#include "backend/opencl/build.h"

namespace vyre::backend::opencl {

struct Parameter {
  enum class Kind : std::uint8_t { buffer, symbol, local };
  Kind kind = Kind::buffer;
  std::uint32_t index = 0;  // among Launch::buffers or Launch::symbols
  std::size_t bytes = 0;    // symbols and local arrays
  std::string name{};       // for messages
};

struct KernelPlan {
  SourceText source;
  std::string entry;
  std::vector<Parameter> parameters;  // of the kernel function, in order
  std::size_t buffers = 0;            // what a launch must give
  std::size_t symbols = 0;
};

Expected<KernelPlan> plan_kernel(const ir::Program& program, const Specialisation& specialisation);

}  // namespace vyre::backend::opencl
