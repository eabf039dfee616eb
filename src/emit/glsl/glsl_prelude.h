// The prelude of GLSL, but for the functions on f32 (glsl_functions.h, glsl_fma.h). Keys of the
// patterns: see emit::PreludePatterns.
//
// Parameters of functions that name a buffer begin with vyre_, since a buffer may have any other
// name. An untaken branch of `?:` may be computed all the same, so operands are made harmless
// first.

#pragma once

#include <array>
#include <string_view>

#include "emit/c_like/dialect.h"
#include "emit/glsl/glsl_fma.h"
#include "emit/glsl/glsl_functions.h"

namespace vyre::emit::glsl_dialect {

inline constexpr std::string_view kFunction1 =
    "$C $N($C a) {\n"
    "  return $C($B(a.x), $B(a.y));\n"
    "}\n";
inline constexpr std::string_view kFunction2 =
    "$C $N($C a, $C b) {\n"
    "  return $C($B(a.x, b.x), $B(a.y, b.y));\n"
    "}\n";
inline constexpr std::string_view kFunction3 =
    "$C $N($C a, $C b, $C c) {\n"
    "  return $C($B(a.x, b.x, c.x), $B(a.y, b.y, c.y));\n"
    "}\n";
inline constexpr std::string_view kFunction1Of4 =
    "$C $N($C a) {\n"
    "  return $C($B(a.x), $B(a.y), $B(a.z), $B(a.w));\n"
    "}\n";
inline constexpr std::string_view kFunction2Of4 =
    "$C $N($C a, $C b) {\n"
    "  return $C($B(a.x, b.x), $B(a.y, b.y), $B(a.z, b.z), $B(a.w, b.w));\n"
    "}\n";
inline constexpr std::string_view kFunction3Of4 =
    "$C $N($C a, $C b, $C c) {\n"
    "  return $C($B(a.x, b.x, c.x), $B(a.y, b.y, c.y), $B(a.z, b.z, c.z), $B(a.w, b.w, c.w));\n"
    "}\n";

inline constexpr std::string_view kLoad =
    "$C $N(uint vyre_length, uint vyre_at) {\n"
    "  if (vyre_at < vyre_length) return $D[vyre_at];\n"
    "  return $C(0);\n"
    "}\n";
inline constexpr std::string_view kLoadVector =
    "$C $N(uint vyre_length, uint vyre_at) {\n"
    "  $C vyre_value = $C(0);\n"
    "  if (vyre_at < vyre_length / $W) {\n"
    "    [[unroll]]\n"
    "    for (uint vyre_k = 0; vyre_k < $W; ++vyre_k) vyre_value[vyre_k] = $D[vyre_at * $W + "
    "vyre_k];\n"
    "  }\n"
    "  return vyre_value;\n"
    "}\n";
inline constexpr std::string_view kStore =
    "void $N(uint vyre_length, uint vyre_at, $C vyre_value) {\n"
    "  if (vyre_at < vyre_length) $D[vyre_at] = vyre_value;\n"
    "}\n";
inline constexpr std::string_view kStoreVector =
    "void $N(uint vyre_length, uint vyre_at, $C vyre_value) {\n"
    "  if (vyre_at >= vyre_length / $W) return;\n"
    "  [[unroll]]\n"
    "  for (uint vyre_k = 0; vyre_k < $W; ++vyre_k) $D[vyre_at * $W + vyre_k] = "
    "vyre_value[vyre_k];\n"
    "}\n";
inline constexpr std::string_view kGet2 =
    "$C $N(uint vyre_at) {\n"
    "  return $C($D[vyre_at * 2], $D[vyre_at * 2 + 1]);\n"
    "}\n";
inline constexpr std::string_view kGet4 =
    "$C $N(uint vyre_at) {\n"
    "  vyre_at *= 4;\n"
    "  return $C($D[vyre_at], $D[vyre_at + 1], $D[vyre_at + 2], $D[vyre_at + 3]);\n"
    "}\n";
inline constexpr std::string_view kSet2 =
    "void $N(uint vyre_at, $C vyre_value) {\n"
    "  $D[vyre_at * 2] = vyre_value.x;\n"
    "  $D[vyre_at * 2 + 1] = vyre_value.y;\n"
    "}\n";
inline constexpr std::string_view kSet4 =
    "void $N(uint vyre_at, $C vyre_value) {\n"
    "  vyre_at *= 4;\n"
    "  $D[vyre_at] = vyre_value.x;\n"
    "  $D[vyre_at + 1] = vyre_value.y;\n"
    "  $D[vyre_at + 2] = vyre_value.z;\n"
    "  $D[vyre_at + 3] = vyre_value.w;\n"
    "}\n";
inline constexpr std::string_view kAtomic =
    "$C $N(uint vyre_length, uint vyre_at, $C vyre_value) {\n"
    "  if (vyre_at < vyre_length) return $B($D[vyre_at], vyre_value);\n"
    "  return $C(0);\n"
    "}\n";
inline constexpr std::string_view kAtomicExchange =
    "$C $N(uint vyre_length, uint vyre_at, $C vyre_expected, $C vyre_value) {\n"
    "  if (vyre_at < vyre_length) return $B($D[vyre_at], vyre_expected, vyre_value);\n"
    "  return $C(0);\n"
    "}\n";
inline constexpr std::string_view kNarrowIndex =
    "uint $N($C at) {\n"
    "  return at < 0xfffffffful ? uint(at) : 0xffffffffu;\n"
    "}\n";
// The distance of two values of a type fits in its unsigned type.
inline constexpr std::string_view kTripCount =
    "$U $N($C begin, $C end, $C step) {\n"
    "  if (begin >= end || step <= $C(0)) return $U(0);\n"
    "  return ($U(end) - $U(begin) - $U(1)) / $U(step) + $U(1);\n"
    "}\n";
inline constexpr std::string_view kFloatToUnsigned =
    "$C $N(float a) {\n"
    "  if (a >= $B) return ~$C(0);\n"
    "  return a > 0.0f ? $C(a > 0.0f ? a : 0.0f) : $C(0);\n"
    "}\n";
inline constexpr std::string_view kFloatToSigned =
    "$C $N(float a) {\n"
    "  const $C most = $C(~$U(0) >> 1);\n"
    "  if (a >= $B) return most;\n"
    "  if (a < -$B) return -most - $C(1);\n"
    "  return abs(a) <= $B ? $C(abs(a) <= $B ? a : 0.0f) : $C(0);\n"
    "}\n";

// lavapipe of Mesa 22.3 takes every comparison of a widened i32 with a constant for false; see
// emit/opencl/opencl_prelude.h. A u32 is widened well, so counts are u32 first.
inline constexpr std::string_view kWidenSigned =
    "$C $N(int a) {\n"
    "  return $C(($U(uint(a)) ^ 0x80000000ul) - 0x80000000ul);\n"
    "}\n"
    "$C $N(bool a) {\n"
    "  return a ? $C(1) : $C(0);\n"
    "}\n";

inline constexpr std::string_view kDivideUnsigned =
    "$C $N($C a, $C b) {\n"
    "  return b == $C(0) ? ~$C(0) : a / (b == $C(0) ? $C(1) : b);\n"
    "}\n";
inline constexpr std::string_view kDivideSigned =
    "$C $N($C a, $C b) {\n"
    "  if (b == $C(-1)) return $C($U(0) - $U(a));\n"
    "  return b == $C(0) ? $C(-1) : a / (b == $C(0) || b == $C(-1) ? $C(1) : b);\n"
    "}\n";
inline constexpr std::string_view kModUnsigned =
    "$C $N($C a, $C b) {\n"
    "  return b == $C(0) ? $C(0) : a % (b == $C(0) ? $C(1) : b);\n"
    "}\n";
// Division by 1 leaves no remainder, as division by 0 and by -1 are to leave none.
inline constexpr std::string_view kModSigned =
    "$C $N($C a, $C b) {\n"
    "  const $C d = b == $C(0) || b == $C(-1) ? $C(1) : b;\n"
    "  return a - a / d * d;\n"
    "}\n";
inline constexpr std::string_view kAbs =
    "$C $N($C a) {\n"
    "  return a < $C(0) ? $C($U(0) - $U(a)) : a;\n"
    "}\n";
inline constexpr std::string_view kHighUnsigned =
    "$C $N($C a, $C b) {\n"
    "  uint high, low;\n"
    "  umulExtended(a, b, high, low);\n"
    "  return high;\n"
    "}\n";
inline constexpr std::string_view kHighSigned =
    "$C $N($C a, $C b) {\n"
    "  int high, low;\n"
    "  imulExtended(a, b, high, low);\n"
    "  return high;\n"
    "}\n";
// In halves of 32 bits, whose products fit in 64.
inline constexpr std::string_view kHighWide =
    "$C $N($C a, $C b) {\n"
    "  const $C a1 = a >> 32, b1 = b >> 32, a0 = a & 0xfffffffful, b0 = b & 0xfffffffful;\n"
    "  const $C first = a1 * b0 + ((a0 * b0) >> 32);\n"
    "  const $C second = a0 * b1 + (first & 0xfffffffful);\n"
    "  return a1 * b1 + (first >> 32) + (second >> 32);\n"
    "}\n";
// The product of the bits as unsigned numbers, less what the two signs add to it.
inline constexpr std::string_view kHighSignedWide =
    "$C $N($C p, $C q) {\n"
    "  const $U a = $U(p), b = $U(q);\n"
    "  const $U a1 = a >> 32, b1 = b >> 32, a0 = a & 0xfffffffful, b0 = b & 0xfffffffful;\n"
    "  const $U first = a1 * b0 + ((a0 * b0) >> 32);\n"
    "  const $U second = a0 * b1 + (first & 0xfffffffful);\n"
    "  const $U high = a1 * b1 + (first >> 32) + (second >> 32);\n"
    "  return $C(high - (p < $C(0) ? b : $U(0)) - (q < $C(0) ? a : $U(0)));\n"
    "}\n";
inline constexpr std::string_view kPopcount =
    "$C $N($C a) {\n"
    "  return $C(bitCount(a));\n"
    "}\n";
inline constexpr std::string_view kPopcountWide =
    "$C $N($C a) {\n"
    "  return $C(uint(bitCount(uint($U(a) & 0xfffffffful)) + bitCount(uint($U(a) >> 32))));\n"
    "}\n";
inline constexpr std::string_view kClz =
    "$C $N($C a) {\n"
    "  return $C(31 - findMSB(uint(a)));\n"
    "}\n";
inline constexpr std::string_view kClzWide =
    "$C $N($C a) {\n"
    "  const uint high = uint($U(a) >> 32);\n"
    "  const uint low = uint($U(a) & 0xfffffffful);\n"
    "  return $C(uint(high != 0 ? 31 - findMSB(high) : 63 - findMSB(low)));\n"
    "}\n";
// By the bits: compilers may take it that there is no NaN.
inline constexpr std::string_view kIsNan =
    "bool $N(float a) {\n"
    "  return (floatBitsToUint(a) << 1) > 0xff000000u;\n"
    "}\n";
inline constexpr std::string_view kMin =
    "float $N(float a, float b) {\n"
    "  return b < a || (floatBitsToUint(a) << 1) > 0xff000000u ? b : a;\n"
    "}\n";
inline constexpr std::string_view kMax =
    "float $N(float a, float b) {\n"
    "  return b > a || (floatBitsToUint(a) << 1) > 0xff000000u ? b : a;\n"
    "}\n";

inline constexpr std::array kPreludeOps{
    PreludeOp{"div", kDivideUnsigned, kDivideSigned},
    PreludeOp{"mod", kModUnsigned, kModSigned},
    PreludeOp{"mulhi", kHighUnsigned, kHighSigned, kHighWide, kHighSignedWide},
    PreludeOp{"abs", kAbs},
    PreludeOp{"popcount", kPopcount, {}, kPopcountWide},
    PreludeOp{"clz", kClz, {}, kClzWide},
    PreludeOp{"is_nan", kIsNan},
    PreludeOp{"min", kMin},
    PreludeOp{"max", kMax},
    PreludeOp{"fma", kFma},
    PreludeOp{.name = "exp", .definition = kExp, .needs = "scaled exp"},
    PreludeOp{.name = "exp2", .definition = kExp2, .needs = "scaled exp2"},
    PreludeOp{.name = "log", .definition = kLog, .needs = "log"},
    PreludeOp{.name = "log2", .definition = kLog2, .needs = "log"},
    PreludeOp{.name = "sin", .definition = kSin, .needs = "sine"},
    PreludeOp{.name = "cos", .definition = kCos, .needs = "sine"},
    PreludeOp{.name = "tanh", .definition = kTanh, .needs = "scaled exp"},
    PreludeOp{.name = "pow", .definition = kPow, .needs = "scaled exp2 product"},
};

inline constexpr PreludePatterns kPrelude{
    .vector_functions = {kFunction1, kFunction2, kFunction3},
    .vector4_functions = {kFunction1Of4, kFunction2Of4, kFunction3Of4},
    .load = kLoad,
    .load_vector = kLoadVector,
    .store = kStore,
    .store_vector = kStoreVector,
    .atomic = kAtomic,
    .atomic_compare_exchange = kAtomicExchange,
    .trip_count = kTripCount,
    .load_vector_inside = {kGet2, kGet4},
    .store_vector_inside = {kSet2, kSet4},
    .narrow_index = kNarrowIndex,
    .float_to_unsigned = kFloatToUnsigned,
    .float_to_signed = kFloatToSigned,
    .widen_signed = kWidenSigned,
    .first_too_large = {"4294967296.0f", "2147483648.0f", "18446744073709551616.0f",
                        "9223372036854775808.0f"},
    .operations = kPreludeOps,
    .helpers = kHelpers,
};

}  // namespace vyre::emit::glsl_dialect
