// T1's element types, as they lie in memory.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vyre/problem.h"
#include "vyre/recording.h"
#include "vyre/value.h"

namespace vyre {

struct T1Type {
  enum class Kind : std::uint8_t { whole, natural, real, custom };

  std::string_view name;  // as T1 writes it
  Kind kind = Kind::custom;
  std::uint32_t bytes = 0;  // of one lane
  std::uint32_t lanes = 1;  // 4 for float4

  std::uint32_t element_bytes() const { return bytes * lanes; }
};

// Null: T1 has no such type, or its size is another one each time (`custom`).
const T1Type* type_named(std::string_view name);

// `custom` takes its bytes from TypeSize.
Expected<T1Type> find_type(const recording::ArgumentSpecification& argument);

// The number in the type's bits, zero-extended to 64. Reals are rounded, whole numbers truncated to
// their bytes.
std::uint64_t lane_bits(const T1Type& type, double value);

}  // namespace vyre
