// The arguments of a T1 kernel, checked, with their counterparts in the kernel language.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problems/problem_sizes.h"
#include "problems/t1_types.h"
#include "vyre/builder.h"

namespace vyre {

struct T1Argument {
  enum class Role : std::uint8_t { buffer, local, scalar, size };

  recording::ArgumentSpecification given;  // with a name and a seed
  std::string name;  // in the program; differs from the given name if that is taken
  T1Type type;
  Role role = Role::buffer;  // size: a scalar that is named as a problem size has its value
  std::string symbol{};      // see ir::Source::Argument
};

// Whether the kernel function has a parameter for the argument. In CUDA and HIP local memory and
// constant symbols have none.
bool is_parameter(const T1Argument& argument, ir::Language language);

// Fails on types and memory that the language or vyre cannot pass. The dynamic shared memory that a
// file asks for in SharedMemory is a local argument at the end.
Expected<std::vector<T1Argument>> arguments_of(const recording::T1File& t1, ir::Language language,
                                               const std::vector<NamedSize>& sizes);

// The element type of a buffer, and how many of those elements make up one of T1's.
struct Elements {
  ir::ElementType type;
  std::uint32_t each = 1;
  Opaque meaning = Opaque::bits;
};
Elements elements_of(const T1Type& type);

ir::Scalar scalar_type(const T1Type& type);
ir::Access access_of(const recording::ArgumentSpecification& argument);

}  // namespace vyre
