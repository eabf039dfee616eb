#include "ir/build/literal_bits.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

namespace vyre::ir {
namespace {

using Bits = std::optional<std::uint64_t>;

std::uint64_t float_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

template <class T>
Bits integer_bits(bool negative, std::uint64_t magnitude) {
  using Limits = std::numeric_limits<T>;
  const std::uint64_t most =
      negative && std::is_signed_v<T>
          ? std::uint64_t{static_cast<std::make_unsigned_t<T>>(Limits::max())} + 1
          : std::uint64_t{static_cast<std::make_unsigned_t<T>>(Limits::max())};
  if (magnitude > most || (negative && magnitude != 0 && !std::is_signed_v<T>)) return std::nullopt;
  const std::uint64_t value = negative ? 0 - magnitude : magnitude;
  return std::uint64_t{static_cast<std::make_unsigned_t<T>>(value)};
}

Bits integer_as(bool negative, std::uint64_t magnitude, Scalar type) {
  switch (type) {
    case Scalar::u32:
      return integer_bits<std::uint32_t>(negative, magnitude);
    case Scalar::i32:
      return integer_bits<std::int32_t>(negative, magnitude);
    case Scalar::u64:
      return integer_bits<std::uint64_t>(negative, magnitude);
    case Scalar::i64:
      return integer_bits<std::int64_t>(negative, magnitude);
    case Scalar::f32: {
      const auto value = static_cast<float>(magnitude);
      constexpr float too_large = 18446744073709551616.0F;
      if (value >= too_large || static_cast<std::uint64_t>(value) != magnitude) return std::nullopt;
      return float_bits(negative ? -value : value);
    }
    case Scalar::boolean:
      break;
  }
  return std::nullopt;
}

Bits real_as(double real, Scalar type) {
  if (type == Scalar::f32) {
    if (std::isnan(real)) return float_bits(std::numeric_limits<float>::quiet_NaN());
    if (std::isfinite(real) && std::fabs(real) > std::numeric_limits<float>::max()) {
      return std::nullopt;
    }
    const auto value = static_cast<float>(real);
    return static_cast<double>(value) == real ? Bits(float_bits(value)) : std::nullopt;
  }
  constexpr double too_large = 18446744073709551616.0;
  const double size = std::fabs(real);
  if (!(size < too_large) || std::trunc(size) != size) return std::nullopt;
  return integer_as(real < 0, static_cast<std::uint64_t>(size), type);
}

}  // namespace

Bits literal_bits(const Literal& literal, Scalar type) {
  switch (literal.kind) {
    case Literal::Kind::truth:
      return type == Scalar::boolean ? Bits(literal.magnitude) : std::nullopt;
    case Literal::Kind::whole:
      return integer_as(literal.negative, literal.magnitude, type);
    case Literal::Kind::real:
      return real_as(literal.real, type);
  }
  return std::nullopt;
}

std::string to_string(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::truth:
      return literal.magnitude != 0 ? "true" : "false";
    case Literal::Kind::whole:
      return fmt::format("{}{}", literal.negative ? "-" : "", literal.magnitude);
    case Literal::Kind::real:
      return fmt::format("{}", literal.real);
  }
  return "?";
}

}  // namespace vyre::ir
