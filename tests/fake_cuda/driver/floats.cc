#include "fake_cuda/driver/floats.h"

#include <algorithm>

namespace fake_cuda {

double half_to_double(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const double fraction = half & 1023;
  const double sign = (half & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// Scales so that the last bit of the result counts one, and rounds to a whole number there.
std::uint16_t double_to_half(double value, Rounding mode) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7FFF;
  if (std::isinf(value)) return sign | 0x7C00;
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), -14);
  volatile double scaled = std::ldexp(value, 10 - exponent);
  const double whole = std::fabs(rounded(mode, [&] { return std::nearbyint(scaled); }));
  // A carry out of the fraction is a larger exponent: the encoding is one number.
  const auto bits = static_cast<std::uint32_t>(whole) +
                    (static_cast<std::uint32_t>(std::max(exponent + 14, 0)) << 10);
  if (exponent > 15 || bits >= 0x7C00) {
    const bool grows = mode == Rounding::kNearest || (mode == Rounding::kUp && sign == 0) ||
                       (mode == Rounding::kDown && sign != 0);
    return sign | (grows ? 0x7C00 : 0x7BFF);
  }
  return static_cast<std::uint16_t>(sign | bits);
}

float bfloat_to_float(std::uint16_t bfloat) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat) << 16);
}

std::uint16_t float_to_bfloat(float value, Rounding mode) {
  if (std::isnan(value)) return 0x7FFF;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool negative = std::signbit(value);
  std::uint32_t add = 0;
  if (mode == Rounding::kNearest) add = 0x7FFF + (bits >> 16 & 1);
  if ((mode == Rounding::kUp && !negative) || (mode == Rounding::kDown && negative)) add = 0xFFFF;
  return static_cast<std::uint16_t>(std::isinf(value) ? bits >> 16 : (bits + add) >> 16);
}

}  // namespace fake_cuda
