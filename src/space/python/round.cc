#include "space/python/round.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "space/python/builtins.h"
#include "space/python/python_literal.h"

namespace vyre::space::detail {
namespace {

constexpr std::int64_t kMostDigits = 330;  // beyond, no double has a digit to lose

bool round_to_integer(Evaluation& evaluation, double value, Cell& out) {
  // nearbyint depends on the thread's rounding mode; this does not.
  const double below = std::floor(value);
  const double rest = value - below;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2.0) != 0.0);
  const Cell whole = Cell::real(up ? below + 1.0 : below);
  return call(evaluation, Function::integer, std::span(&whole, 1), out);
}

bool round_integer(Evaluation& evaluation, std::int64_t value, std::int64_t digits, Cell& out) {
  if (digits >= 0) {
    out = Cell::integer(value);
    return true;
  }
  if (digits < -19) {  // half of 10^20 is above every int64
    out = Cell::integer(0);
    return true;
  }
  __int128 unit = 1;
  for (std::int64_t i = digits; i < 0; ++i) unit *= 10;
  __int128 quotient = value / unit;
  __int128 rest = value % unit;
  if (rest < 0) {
    rest += unit;
    --quotient;
  }
  if (rest * 2 > unit || (rest * 2 == unit && quotient % 2 != 0)) ++quotient;
  const __int128 rounded = quotient * unit;
  const auto narrowed = static_cast<std::int64_t>(rounded);
  if (narrowed != rounded) {
    return evaluation.fail(fmt::format("round({}, {}) does not fit into 64 bits", value, digits));
  }
  out = Cell::integer(narrowed);
  return true;
}

double reread(double sign, const std::string& digits) {
  return std::copysign(read_decimal(digits).value_or(0.0), sign);
}

// fmt rounds the exact value half to even, as Python does; only digits before the point need
// the scientific form, whose precision counts from the first digit.
double round_real(double value, std::int64_t digits) {
  if (!std::isfinite(value) || value == 0.0 || digits > kMostDigits) return value;
  if (digits >= 0) {
    return reread(value, fmt::format("{:.{}f}", std::abs(value), static_cast<int>(digits)));
  }
  const std::string exact = fmt::format("{:.800e}", std::abs(value));
  const std::size_t e = exact.find('e');
  const std::int64_t exponent = std::strtol(exact.c_str() + e + 1, nullptr, 10);
  const std::int64_t kept = exponent + 1 + digits;
  if (digits < -kMostDigits || kept < 0) return std::copysign(0.0, value);
  if (kept == 0) {
    const bool tie = exact[0] == '5' && exact.find_first_not_of('0', 2) == e;
    const bool up = exact[0] >= '5' && !tie;
    return reread(value, up ? fmt::format("1e{}", -digits) : "0");
  }
  return reread(value, fmt::format("{:.{}e}", std::abs(value), static_cast<int>(kept - 1)));
}

}  // namespace

bool round_number(Evaluation& evaluation, const Cell& value, const Cell* digits, Cell& out) {
  if (!value.is_number()) {
    return evaluation.fail(fmt::format("round() does not take {}", type_name(value)));
  }
  if (digits == nullptr) {
    if (value.tag == Tag::real) return round_to_integer(evaluation, value.d, out);
    out = Cell::integer(value.i);
    return true;
  }
  if (!digits->is_integral()) {
    return evaluation.fail(fmt::format("round() to {} digits", type_name(*digits)));
  }
  if (value.is_integral()) return round_integer(evaluation, value.i, digits->i, out);
  out = Cell::real(round_real(value.d, digits->i));
  if (std::isinf(out.d) && !std::isinf(value.d)) {
    return evaluation.fail(
        fmt::format("round({}, {}) is too large for a float", value.d, digits->i));
  }
  return true;
}

}  // namespace vyre::space::detail
