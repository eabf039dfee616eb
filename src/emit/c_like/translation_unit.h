// A translation unit: kernels and the functions that they call, as one text in some dialect.
//
// A kernel's parameters, in this order: every read, read_write and write buffer in declaration
// order; then every shape and scalar in declaration order by value, a bool as u32. Buffer lengths
// follow from those by the program's size expressions, and must not have wrapped. Local and private
// arrays are declared by the kernel, with zeros.
//
// A buffer that is written must share no memory with another argument: dialects promise that to
// their compilers. For the buffers of a sequence, rule V095 guarantees it; any other caller has to.
//
// Pure: the same kernels give the same text. The text is also for readers: names stay where the
// language allows it.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "emit/c_like/dialect.h"
#include "vyre/program.h"

namespace vyre::emit {

// A program with everything that is fixed before compiling.
struct KernelSource {
  const ir::Program* program = nullptr;      // validated
  std::span<const std::uint64_t> symbols{};  // bits of every symbol; only tunables are used
  std::array<std::uint32_t, 3> workgroup{1, 1, 1};
  std::string entry{};  // name of the kernel function
};

// bad_inputs: a program is source text already, or an entry is reserved in the language or used
// twice. rejected: a program is too large after unrolling (emit/c_like/unrolling.h).
Expected<std::string> translation_unit(const Dialect& dialect,
                                       std::span<const KernelSource> kernels);

}  // namespace vyre::emit
