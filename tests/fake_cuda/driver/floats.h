// Floating point as PTX has it: rounding modes, flushed subnormals, one NaN, and half precision.

#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "fake_cuda/driver/instruction.h"

namespace fake_cuda {

// The NaN that arithmetic of f32 gives on a card.
inline float card_nan() { return std::bit_cast<float>(std::uint32_t{0x7FFFFFFF}); }

template <class T>
T flushed(T value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T{0}, value) : value;
}

template <class T>
T saturated(T value) {
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};  // a NaN becomes 0
}

// Computes `operation` under a rounding mode. The operands must be read from volatile memory within
// it: a compiler may move arithmetic across the change of the mode, but no volatile access.
template <class Operation>
auto rounded(Rounding mode, Operation operation) {
  if (mode == Rounding::kNearest) return operation();
  std::fesetround(mode == Rounding::kZero   ? FE_TOWARDZERO
                  : mode == Rounding::kDown ? FE_DOWNWARD
                                            : FE_UPWARD);
  volatile auto result = operation();
  std::fesetround(FE_TONEAREST);
  return static_cast<std::remove_volatile_t<decltype(result)>>(result);
}

double half_to_double(std::uint16_t half);
std::uint16_t double_to_half(double value, Rounding mode);

float bfloat_to_float(std::uint16_t bfloat);
std::uint16_t float_to_bfloat(float value, Rounding mode);

}  // namespace fake_cuda
