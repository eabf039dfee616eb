// Programs as OpenCL C 1.2.
//
// A kernel's arguments, in this order: every read, read_write and write buffer in declaration order
// as `__global T*`, const if it is only read; then every shape and scalar in declaration order by
// value, a bool as uint. Buffer lengths follow from those by the program's size expressions, and
// must not have wrapped. Local and private arrays are declared inside, with zeros.
//
// Pointers are `restrict`: a buffer that is written must share no memory with another argument.
// That is rule V095 for what a sequence binds; who binds other memory has to see to it.
//
// Pure: the same kernels give the same text. Bound for readers too: names stay where C allows it.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "vyre/program.h"

namespace vyre::emit {

// What is fixed before compiling.
struct KernelSource {
  const ir::Program* program = nullptr;  // validated
  std::span<const std::uint64_t>
      symbols{};  // bits of every symbol; only those of tunables are used
  std::array<std::uint32_t, 3> workgroup{1, 1, 1};  // reqd_work_group_size
  std::string entry{};                              // C name of the kernel function
};

// One translation unit with all kernels and the functions that they need.
// bad_inputs: a program is source text, or an entry is no free C name or not the only one of its
// name.
Expected<std::string> opencl_c(std::span<const KernelSource> kernels);

}  // namespace vyre::emit
