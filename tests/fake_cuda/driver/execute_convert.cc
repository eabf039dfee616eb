#include "fake_cuda/driver/execute_convert.h"

#include <algorithm>

#include "fake_cuda/driver/floats.h"
#include "fake_cuda/driver/handlers.h"

namespace fake_cuda {
namespace {

using Int128 = __int128;

// A value of an integer type, extended as its type says.
Int128 integer_at(const Thread& thread, std::uint32_t slot, Type type) {
  const U64 bits = thread.r[slot];
  const U32 width = bytes_of(type) * 8;
  if (is_signed(type)) return static_cast<S64>(bits << (64 - width)) >> (64 - width);
  return width == 64 ? bits : bits & ((U64{1} << width) - 1);
}

Int128 lowest(Type type) {
  return is_signed(type) ? -(Int128{1} << (bytes_of(type) * 8 - 1)) : Int128{0};
}
Int128 highest(Type type) {
  return (Int128{1} << (bytes_of(type) * 8 - (is_signed(type) ? 1 : 0))) - 1;
}

// Narrow results fill the register: with the sign, if their type has one.
void set_integer(Thread& thread, std::uint32_t slot, Type type, Int128 value) {
  thread.r[slot] = static_cast<U64>(value);
  thread.r[slot] = static_cast<U64>(integer_at(thread, slot, type));
}

double real_at(const Thread& thread, const Instruction& at) {
  switch (at.from) {
    case Type::kF16:
      return half_to_double(get<U16>(thread, at.a));
    case Type::kBf16:
      return static_cast<double>(bfloat_to_float(get<U16>(thread, at.a)));
    case Type::kF32: {
      const float value = get<float>(thread, at.a);
      return static_cast<double>(at.ftz ? flushed(value) : value);
    }
    default:
      return get<double>(thread, at.a);
  }
}

float to_single(double value, Rounding mode) {
  volatile double from = value;
  const float result = rounded(mode, [&] { return static_cast<float>(double{from}); });
  return std::isnan(result) ? card_nan() : result;
}

void set_real(Thread& thread, const Instruction& at, double value) {
  switch (at.to) {
    case Type::kF16:
      return set(thread, at.d, double_to_half(at.saturate ? saturated(value) : value, at.rounding));
    case Type::kBf16:
      // From f32 only, which a double holds exactly.
      return set(thread, at.d, float_to_bfloat(static_cast<float>(value), at.rounding));
    case Type::kF32: {
      float result = to_single(value, at.rounding);
      if (at.ftz) result = flushed(result);
      return set(thread, at.d, at.saturate ? saturated(result) : result);
    }
    default:
      return set(thread, at.d, at.saturate ? saturated(value) : value);
  }
}

double to_whole(double value, Rounding mode) {
  switch (mode) {
    case Rounding::kNearest:
      return std::nearbyint(value);
    case Rounding::kZero:
      return std::trunc(value);
    case Rounding::kDown:
      return std::floor(value);
    case Rounding::kUp:
      return std::ceil(value);
  }
  return value;
}

void integer_to_integer(Thread& thread, const Instruction& at) {
  Int128 value = integer_at(thread, at.a, at.from);
  if (at.saturate) value = std::clamp(value, lowest(at.to), highest(at.to));
  set_integer(thread, at.d, at.to, value);
}

// Values beyond the integers become the nearest one. A NaN becomes 0, but the lowest signed
// number's bits where 64 bits are on either side.
void real_to_integer(Thread& thread, const Instruction& at) {
  const double value = to_whole(real_at(thread, at), at.rounding);
  Int128 result = 0;
  if (std::isnan(value)) {
    const bool wide = at.from == Type::kF64 || bytes_of(at.to) == 8;
    result = wide ? Int128{1} << (bytes_of(at.to) * 8 - 1) : 0;
  } else {
    const double bound = 0x1p+65;  // beyond all of them, and within 128 bits
    result = std::clamp(static_cast<Int128>(std::clamp(value, -bound, bound)), lowest(at.to),
                        highest(at.to));
  }
  set_integer(thread, at.d, at.to, result);
}

// From the integer in one rounding: through a double there might be two.
void integer_to_real(Thread& thread, const Instruction& at) {
  const Int128 value = integer_at(thread, at.a, at.from);
  volatile S64 with_sign = static_cast<S64>(value);
  volatile U64 without = static_cast<U64>(value);
  const bool negative = value < 0;
  if (at.to == Type::kF32) {
    const float result = rounded(at.rounding, [&] {
      return negative ? static_cast<float>(S64{with_sign}) : static_cast<float>(U64{without});
    });
    return set(thread, at.d, at.saturate ? saturated(result) : result);
  }
  const double result = rounded(at.to == Type::kF64 ? at.rounding : Rounding::kNearest, [&] {
    return negative ? static_cast<double>(S64{with_sign}) : static_cast<double>(U64{without});
  });
  set_real(thread, at, result);
}

void real_to_real(Thread& thread, const Instruction& at) {
  // A NaN of the same type is kept as it is.
  set_real(thread, at, real_at(thread, at));
}

void real_to_whole(Thread& thread, const Instruction& at) {
  set_real(thread, at, to_whole(real_at(thread, at), at.rounding));
}

}  // namespace

Handler convert_handler(Type to, Type from, bool whole) {
  if (to == Type::kPred || from == Type::kPred) return nullptr;
  if (to == Type::kBf16 && from != Type::kF32) return nullptr;
  if (from == Type::kBf16 && to != Type::kF32) return nullptr;
  if (!is_float(to)) return is_float(from) ? real_to_integer : integer_to_integer;
  if (!is_float(from)) return integer_to_real;
  return whole ? real_to_whole : real_to_real;
}

}  // namespace fake_cuda
