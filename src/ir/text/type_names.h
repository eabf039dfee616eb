// The types of the language by the names that the text form gives them.

#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "vyre/program.h"

namespace vyre::ir {

inline constexpr std::array kAllTypes = {
    Type{Scalar::boolean, 1}, Type{Scalar::u32, 1}, Type{Scalar::i32, 1}, Type{Scalar::u64, 1},
    Type{Scalar::i64, 1},     Type{Scalar::f32, 1}, Type{Scalar::u32, 2}, Type{Scalar::u32, 4},
    Type{Scalar::f32, 2},     Type{Scalar::f32, 4}};

// `u32`, `f32x4`; none if there is no such type.
inline std::optional<Type> find_type(std::string_view name) {
  for (const Type type : kAllTypes) {
    if (to_string(type) == name) return type;
  }
  return std::nullopt;
}

}  // namespace vyre::ir
