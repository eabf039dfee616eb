// The total meaning of every operation; the last column of ops.def calls these functions.
//
// Integers wrap, shift counts are masked, x / 0 is all ones, INT_MIN / -1 wraps, x % 0 is 0, float
// to integer casts saturate, NaN casts to 0, min and max ignore one NaN. The compiler can vectorise
// a loop over any of them.

#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace vyre::ir {

// Signed arithmetic goes through the unsigned type, where wrapping is defined.
template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
constexpr T wrap_add(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a + b;
  else
    return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}

template <class T>
constexpr T wrap_sub(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a - b;
  else
    return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}

template <class T>
constexpr T wrap_mul(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a * b;
  else
    return static_cast<T>(static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b));
}

template <class T>
constexpr T wrap_neg(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return -a;
  else
    return wrap_sub<T>(0, a);
}

template <class T>
constexpr T wrap_abs(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(a);
  else
    return a < 0 ? wrap_neg(a) : a;
}

template <class T>
constexpr T total_div(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a / b;
  } else {
    if (b == 0) return static_cast<T>(~Unsigned<T>{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return wrap_neg(a);
    }
    return static_cast<T>(a / b);
  }
}

template <class T>
constexpr T total_mod(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

// The high half of the full product.
template <class T>
constexpr T mul_high(T a, T b) {
  if constexpr (sizeof(T) == 4) {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 32);
  } else {
    __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
  }
}

template <class T>
constexpr T total_min(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return (b < a || a != a) ? b : a;
  else
    return b < a ? b : a;
}

template <class T>
constexpr T total_max(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return (b > a || a != a) ? b : a;
  else
    return b > a ? b : a;
}

template <class T>
constexpr T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
constexpr T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
constexpr T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}

template <class T>
constexpr T bit_not(T a) {
  if constexpr (std::is_same_v<T, bool>)
    return !a;
  else
    return static_cast<T>(~a);
}

template <class T>
constexpr T shift_left(T a, std::uint32_t count) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) << (count & (sizeof(T) * 8 - 1)));
}

// Arithmetic for signed types.
template <class T>
constexpr T shift_right(T a, std::uint32_t count) {
  return static_cast<T>(a >> (count & (sizeof(T) * 8 - 1)));
}

template <class T>
constexpr T count_ones(T a) {
  return static_cast<T>(std::popcount(static_cast<Unsigned<T>>(a)));
}

template <class T>
constexpr T leading_zeros(T a) {
  return static_cast<T>(std::countl_zero(static_cast<Unsigned<T>>(a)));
}

// Halves go to the even neighbour, in every rounding mode of the host.
inline float round_even(float a) {
  if (!(std::fabs(a) < 8388608.0F)) return a;  // no fraction from 2^23 on; NaN and infinities too
  const float down = std::floor(a);
  const float rest = a - down;
  if (rest < 0.5F) return std::copysign(down, a);
  if (rest > 0.5F) return std::copysign(down + 1.0F, a);
  const bool down_is_even = std::fmod(down, 2.0F) == 0.0F;
  return std::copysign(down_is_even ? down : down + 1.0F, a);
}

template <class To, class From>
constexpr To total_cast(From a) {
  if constexpr (std::is_same_v<To, bool>) {
    return a != From{0};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // Both bounds are exact in a float; the upper one is the first value too large.
    constexpr auto low = static_cast<From>(std::numeric_limits<To>::min());
    constexpr auto high =
        static_cast<From>(2.0) *
        static_cast<From>(std::uint64_t{1} << (std::numeric_limits<To>::digits - 1));
    if (a != a) return 0;
    if (a < low) return std::numeric_limits<To>::min();
    if (a >= high) return std::numeric_limits<To>::max();
    return static_cast<To>(a);
  } else {
    return static_cast<To>(a);
  }
}

}  // namespace vyre::ir
