// The arguments of a T1 kernel, checked, and what each is in the kernel language.

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

  recording::Argument given;  // with a name and a seed
  std::string name;           // in the program: the same unless something else is called so
  T1Type type;
  Role role = Role::buffer;  // size: a scalar that is named as a problem size has its value
};

// Fails on types and memory that OpenCL or vyre cannot pass.
Expected<std::vector<T1Argument>> arguments_of(const recording::T1File& t1,
                                               const std::vector<NamedSize>& sizes);

// The element of a buffer, and how many of them one of T1's is.
struct Elements {
  ir::ElementType type;
  std::uint32_t each = 1;
  Opaque meaning = Opaque::bits;
};
Elements elements_of(const T1Type& type);

ir::Scalar scalar_type(const T1Type& type);
ir::Access access_of(const recording::Argument& argument);

}  // namespace vyre
