#include "emit/c_like/c_literal.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace vyre::emit {
namespace {

template <class T>
Text signed_literal(T value, std::string_view suffix) {
  // The smallest value has no literal: its digits do not fit in the type before the minus applies.
  if (value == std::numeric_limits<T>::min()) {
    return {fmt::format("{}{} - 1", value + 1, suffix), Binding::sum};
  }
  return {fmt::format("{}{}", value, suffix), value < 0 ? Binding::unary : Binding::primary};
}

Text float_of_bits(const LiteralSpelling& spelling, std::uint32_t bits) {
  const Text operands[] = {{fmt::format("0x{:08x}{}", bits, spelling.u32)}};
  return spell(spelling.float_of_bits, operands);
}

Text float_literal(const LiteralSpelling& spelling, std::uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  if (!std::isfinite(value)) return float_of_bits(spelling, bits);
  const Binding binding = std::signbit(value) ? Binding::unary : Binding::primary;
  std::string text = fmt::format("{}", value);
  const bool exact = std::strtod(text.c_str(), nullptr) == static_cast<double>(value);
  if (!exact && !spelling.hexadecimal_floats) {
    return {fmt::format("{} /* {} */", float_of_bits(spelling, bits).text, value)};
  }
  if (!exact) return {fmt::format("{:a}{} /* {} */", value, spelling.f32, value), binding};
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return {text + std::string(spelling.f32), binding};
}

}  // namespace

Text literal(const LiteralSpelling& spelling, ir::Scalar type, std::uint64_t bits) {
  switch (type) {
    case ir::Scalar::boolean:
      return {bits != 0 ? "true" : "false"};
    case ir::Scalar::u32:
      return {fmt::format("{}{}", static_cast<std::uint32_t>(bits), spelling.u32)};
    case ir::Scalar::i32:
      return signed_literal(static_cast<std::int32_t>(bits), "");
    case ir::Scalar::u64:
      return {fmt::format("{}{}", bits, spelling.u64)};
    case ir::Scalar::i64:
      return signed_literal(static_cast<std::int64_t>(bits), spelling.i64);
    case ir::Scalar::f32:
      return float_literal(spelling, static_cast<std::uint32_t>(bits));
  }
  return {"0"};
}

}  // namespace vyre::emit
