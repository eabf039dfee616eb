// Q16 inside programs: the terms of a sum, and how the sum is stored.

#pragma once

#include "vyre/value.h"

namespace vyre::primitives {

// The type that a number is stored in, and the type that sums are accumulated in.
struct Fixed {
  ir::Scalar narrow;
  ir::Scalar wide;
};
inline constexpr Fixed kQ16{ir::u32, ir::u64};
inline constexpr Fixed kQ16s{ir::i32, ir::i64};

// (a * b) >> 16 in the wide type; the shift of a negative product rounds down.
inline ir::Value q16_term(const Fixed& fixed, const ir::Value& a, const ir::Value& b) {
  return (cast(fixed.wide, a) * cast(fixed.wide, b)) >> 16;
}

// The sum as the nearest number that can be stored.
inline ir::Value q16_stored(const Fixed& fixed, const ir::Value& sum) {
  if (fixed.narrow == ir::u32) return cast(ir::u32, min(sum, 0xffffffffU));
  return cast(ir::i32, max(min(sum, 0x7fffffff), -0x80000000LL));
}

}  // namespace vyre::primitives
