// The C++ types that stand for the language's scalars on the host.

#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "ir/semantics.h"
#include "vyre/program.h"

namespace vyre::ir {

// Values as bits, as in Expr::bits: zero-extended, f32 as IEEE, a boolean 0 or 1.
template <class T>
T from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<T, bool>)
    return bits != 0;
  else
    return static_cast<T>(bits);
}

template <class T>
std::uint64_t to_bits(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(value);
  else if constexpr (std::is_same_v<T, bool>)
    return value ? 1 : 0;
  else
    return static_cast<Unsigned<T>>(value);
}

// Calls `f` with a value of the C++ type that stands for `scalar`.
template <class F>
auto with_type(Scalar scalar, F f) -> decltype(f(bool{})) {
  switch (scalar) {
    case Scalar::boolean:
      return f(bool{});
    case Scalar::u32:
      return f(std::uint32_t{});
    case Scalar::i32:
      return f(std::int32_t{});
    case Scalar::u64:
      return f(std::uint64_t{});
    case Scalar::i64:
      return f(std::int64_t{});
    case Scalar::f32:
      return f(float{});
  }
  return {};
}

// Whether the meaning of a row with this rule compiles for T: the part of result_type that concerns
// scalars.
template <class T>
constexpr bool takes(Rule rule) {
  constexpr bool truth = std::is_same_v<T, bool>;
  constexpr bool real = std::is_same_v<T, float>;
  switch (rule) {
    case Rule::number:
    case Rule::order:
      return !truth;
    case Rule::integer:
    case Rule::shift:
      return !truth && !real;
    case Rule::signed_:
      return std::is_signed_v<T>;
    case Rule::bits:
      return !real;
    case Rule::equality:
      return true;
    case Rule::real:
    case Rule::classify:
      return real;
  }
  return false;
}

// Type of the second operand.
template <class T, Rule rule>
using Second = std::conditional_t<rule == Rule::shift, std::uint32_t, T>;

}  // namespace vyre::ir
