#include "space/python/arithmetic.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "base/check.h"

namespace vyre::space::detail {
namespace {

using Wide = unsigned __int128;

bool too_big(Evaluation& evaluation, Operator op, std::int64_t left, std::int64_t right) {
  return evaluation.fail(
      fmt::format("{} {} {} does not fit into 64 bits", left, spelling(op), right));
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

// The correctly rounded quotient, as Python gives it for integers of any size. Doubles cannot hold
// operands above 2^53, so the function computes 64 bits of the quotient, and a sticky bit for the
// rest.
double true_quotient(std::int64_t left, std::int64_t right) {
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  const std::uint64_t a = magnitude(left);
  const std::uint64_t b = magnitude(right);
  if (a <= kExact && b <= kExact) return static_cast<double>(left) / static_cast<double>(right);
  if (a == 0) return (left < 0) != (right < 0) ? -0.0 : 0.0;
  const int shift = 64 + std::countl_zero(a);
  const Wide numerator = static_cast<Wide>(a) << shift;
  Wide quotient = numerator / b;
  bool sticky = numerator % b != 0;
  int exponent = -shift;
  while (quotient >> 64 != 0) {
    sticky = sticky || (quotient & 1) != 0;
    quotient >>= 1;
    ++exponent;
  }
  const std::uint64_t bits = static_cast<std::uint64_t>(quotient) | (sticky ? 1U : 0U);
  const double rounded = std::ldexp(static_cast<double>(bits), exponent);
  return (left < 0) != (right < 0) ? -rounded : rounded;
}

bool integer_power(Evaluation& evaluation, std::int64_t base, std::int64_t exponent, Cell& out) {
  if (exponent < 0) {
    return real_operation(evaluation, Operator::power, static_cast<double>(base),
                          static_cast<double>(exponent), out);
  }
  if (base == 0 || base == 1 || base == -1) {
    const bool odd = exponent % 2 != 0;
    out = Cell::integer(exponent == 0 ? 1 : (base == -1 && !odd ? 1 : base));
    return true;
  }
  std::int64_t result = 1;
  for (std::int64_t i = 0; i < exponent; ++i) {  // at most 63 turns before it overflows
    if (__builtin_mul_overflow(result, base, &result)) {
      return too_big(evaluation, Operator::power, base, exponent);
    }
  }
  out = Cell::integer(result);
  return true;
}

bool floor_operation(Evaluation& evaluation, Operator op, std::int64_t left, std::int64_t right,
                     Cell& out) {
  if (right == 0) return evaluation.fail("division by zero");
  if (op == Operator::divide) {
    out = Cell::real(true_quotient(left, right));
    return true;
  }
  if (right == -1) {  // the one divisor whose quotient can overflow
    if (op == Operator::modulo) {
      out = Cell::integer(0);
      return true;
    }
    std::int64_t negated = 0;
    if (__builtin_sub_overflow(0, left, &negated)) return too_big(evaluation, op, left, right);
    out = Cell::integer(negated);
    return true;
  }
  const std::int64_t remainder = left % right;
  const bool adjust = remainder != 0 && (remainder < 0) != (right < 0);
  out = Cell::integer(op == Operator::modulo ? remainder + (adjust ? right : 0)
                                             : left / right - (adjust ? 1 : 0));
  return true;
}

bool shift_operation(Evaluation& evaluation, Operator op, std::int64_t left, std::int64_t right,
                     Cell& out) {
  if (right < 0) return evaluation.fail("the shift count is negative");
  if (op == Operator::shift_right) {
    out = Cell::integer(left >> std::min<std::int64_t>(right, 63));
    return true;
  }
  const bool fits = left == 0 || (right < 64 && ((left << right) >> right) == left);
  if (!fits) return too_big(evaluation, op, left, right);
  out = Cell::integer(left == 0 ? 0 : left << right);
  return true;
}

// Python's own algorithm (float_divmod), so that -0.0 and rounding agree too.
void floor_divide_reals(double left, double right, double& quotient, double& remainder) {
  remainder = std::fmod(left, right);
  double div = (left - remainder) / right;
  if (remainder != 0.0) {
    if ((right < 0) != (remainder < 0)) {
      remainder += right;
      div -= 1.0;
    }
  } else {
    remainder = std::copysign(0.0, right);
  }
  quotient = std::floor(div);
  if (div == 0.0) {
    quotient = std::copysign(0.0, left / right);
  } else if (div - quotient > 0.5) {
    quotient += 1.0;
  }
}

bool real_power(Evaluation& evaluation, double left, double right, Cell& out) {
  if (left == 0.0 && right < 0.0) return evaluation.fail("zero to a negative power");
  if (left < 0.0 && std::isfinite(left) && std::isfinite(right) && right != std::floor(right)) {
    return evaluation.fail("a negative number to a fractional power is not a real number");
  }
  const double result = std::pow(left, right);
  if (std::isinf(result) && std::isfinite(left) && std::isfinite(right)) {
    return evaluation.fail(fmt::format("{} ** {} is too large for a float", left, right));
  }
  out = Cell::real(result);
  return true;
}

}  // namespace

bool integer_operation(Evaluation& evaluation, Operator op, std::int64_t left, std::int64_t right,
                       Cell& out) {
  std::int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case Operator::add:
      overflow = __builtin_add_overflow(left, right, &result);
      break;
    case Operator::subtract:
      overflow = __builtin_sub_overflow(left, right, &result);
      break;
    case Operator::multiply:
      overflow = __builtin_mul_overflow(left, right, &result);
      break;
    case Operator::divide:
    case Operator::floor_divide:
    case Operator::modulo:
      return floor_operation(evaluation, op, left, right, out);
    case Operator::power:
      return integer_power(evaluation, left, right, out);
    case Operator::bit_and:
      result = left & right;
      break;
    case Operator::bit_or:
      result = left | right;
      break;
    case Operator::bit_xor:
      result = left ^ right;
      break;
    case Operator::shift_left:
    case Operator::shift_right:
      return shift_operation(evaluation, op, left, right, out);
    default:
      VYRE_CHECK(false);
  }
  if (overflow) return too_big(evaluation, op, left, right);
  out = Cell::integer(result);
  return true;
}

bool real_operation(Evaluation& evaluation, Operator op, double left, double right, Cell& out) {
  const bool divides =
      op == Operator::divide || op == Operator::floor_divide || op == Operator::modulo;
  if (divides && right == 0.0) return evaluation.fail("division by zero");
  double quotient = 0.0;
  double remainder = 0.0;
  switch (op) {
    case Operator::add:
      out = Cell::real(left + right);
      return true;
    case Operator::subtract:
      out = Cell::real(left - right);
      return true;
    case Operator::multiply:
      out = Cell::real(left * right);
      return true;
    case Operator::divide:
      out = Cell::real(left / right);
      return true;
    case Operator::floor_divide:
    case Operator::modulo:
      floor_divide_reals(left, right, quotient, remainder);
      out = Cell::real(op == Operator::modulo ? remainder : quotient);
      return true;
    case Operator::power:
      return real_power(evaluation, left, right, out);
    default:
      return evaluation.fail(fmt::format("{} takes integers, not floats", spelling(op)));
  }
}

}  // namespace vyre::space::detail
