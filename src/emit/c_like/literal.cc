#include "emit/c_like/literal.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace vyre::emit {
namespace {

template <class T>
Text signed_literal(T value, std::string_view suffix) {
  // The smallest has no literal of its own: its digits do not fit before the minus is applied.
  if (value == std::numeric_limits<T>::min()) {
    return {fmt::format("{}{} - 1", value + 1, suffix), Binding::sum};
  }
  return {fmt::format("{}{}", value, suffix), value < 0 ? Binding::unary : Binding::primary};
}

Text float_literal(std::uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  if (!std::isfinite(value)) return {fmt::format("as_float(0x{:08x}u)", bits)};
  const Binding binding = std::signbit(value) ? Binding::unary : Binding::primary;
  std::string text = fmt::format("{}", value);
  const bool exact = std::strtod(text.c_str(), nullptr) == static_cast<double>(value);
  if (!exact) return {fmt::format("{:a}f /* {} */", value, value), binding};
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return {text + "f", binding};
}

}  // namespace

Text literal(ir::Scalar type, std::uint64_t bits) {
  switch (type) {
    case ir::Scalar::boolean:
      return {bits != 0 ? "true" : "false"};
    case ir::Scalar::u32:
      return {fmt::format("{}u", static_cast<std::uint32_t>(bits))};
    case ir::Scalar::i32:
      return signed_literal(static_cast<std::int32_t>(bits), "");
    case ir::Scalar::u64:
      return {fmt::format("{}ul", bits)};
    case ir::Scalar::i64:
      return signed_literal(static_cast<std::int64_t>(bits), "l");
    case ir::Scalar::f32:
      return float_literal(static_cast<std::uint32_t>(bits));
  }
  return {"0"};
}

}  // namespace vyre::emit
