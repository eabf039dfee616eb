// The prelude of OpenCL C. Keys of the patterns: see emit::PreludePatterns.

#pragma once

#include <array>
#include <string_view>

#include "emit/c_like/dialect.h"

namespace vyre::emit::opencl {

// The index is a ulong whatever its type was: converting keeps the value of an unsigned index, and
// makes a negative one larger than every length.
inline constexpr std::string_view kLoad =
    "static $C $N($S const $C* data, uint length, ulong at) {\n"
    "  return at < length ? data[at] : ($C)0;\n"
    "}\n";
inline constexpr std::string_view kLoadVector =
    "static $C $N($S const $E* data, uint length, ulong at) {\n"
    "  return at < length / $W ? vload$W(at, data) : ($C)(0);\n"
    "}\n";
inline constexpr std::string_view kStore =
    "static void $N($S $C* data, uint length, ulong at, $C value) {\n"
    "  if (at < length) data[at] = value;\n"
    "}\n";
inline constexpr std::string_view kStoreVector =
    "static void $N($S $E* data, uint length, ulong at, $C value) {\n"
    "  if (at < length / $W) vstore$W(value, at, data);\n"
    "}\n";
inline constexpr std::string_view kAtomic =
    "static $C $N(volatile $S $C* data, uint length, ulong at, $C value) {\n"
    "  return at < length ? $B(&data[at], value) : ($C)0;\n"
    "}\n";
inline constexpr std::string_view kAtomicExchange =
    "static $C $N(volatile $S $C* data, uint length, ulong at, $C expected, $C value) {\n"
    "  return at < length ? $B(&data[at], expected, value) : ($C)0;\n"
    "}\n";
// The distance of two values of a type fits in its unsigned type.
inline constexpr std::string_view kTripCount =
    "static $U $N($C begin, $C end, $C step) {\n"
    "  return begin < end && step > 0 ? (($U)end - ($U)begin - 1) / ($U)step + 1 : 0;\n"
    "}\n";
inline constexpr std::string_view kFloatToUnsigned =
    "static $C $N(float a) {\n"
    "  return a >= $B ? ~($C)0 : a > 0.0f ? ($C)a : 0;\n"
    "}\n";
inline constexpr std::string_view kFloatToSigned =
    "static $C $N(float a) {\n"
    "  const $C most = ($C)(~($U)0 >> 1);\n"
    "  return a >= $B ? most : a >= -$B ? ($C)a : a < 0.0f ? -most - 1 : 0;\n"
    "}\n";
// On rusticl of Mesa 22.3 `15l > (long)a` is false for every int a, and so is every such comparison
// of a widened integer with a constant. Spelled like this, the comparison is right.
inline constexpr std::string_view kWidenSigned =
    "static $C $N(int a) {\n"
    "  return ($C)(((ulong)(uint)a ^ 0x80000000ul) - 0x80000000ul);\n"
    "}\n";
// The divisor is never 0 even where its quotient is not used: vectors compute both sides of a
// choice.
inline constexpr std::string_view kDivideUnsigned =
    "static $C $N($C a, $C b) {\n"
    "  return b == ($C)(0) ? ~($C)(0) : a / (b == ($C)(0) ? ($C)(1) : b);\n"
    "}\n";
inline constexpr std::string_view kDivideSigned =
    "static $C $N($C a, $C b) {\n"
    "  return b == 0 ? -1 : b == -1 ? ($C)(0 - ($U)a) : a / b;\n"
    "}\n";
inline constexpr std::string_view kModUnsigned =
    "static $C $N($C a, $C b) {\n"
    "  return b == ($C)(0) ? ($C)(0) : a % (b == ($C)(0) ? ($C)(1) : b);\n"
    "}\n";
inline constexpr std::string_view kModSigned =
    "static $C $N($C a, $C b) {\n"
    "  return b == 0 || b == -1 ? 0 : a % b;\n"
    "}\n";
inline constexpr std::string_view kMin =
    "static $C $N($C a, $C b) {\n"
    "  return (b < a) | (a != a) ? b : a;\n"
    "}\n";
inline constexpr std::string_view kMax =
    "static $C $N($C a, $C b) {\n"
    "  return (b > a) | (a != a) ? b : a;\n"
    "}\n";

// PoCL's mathematical functions convert to integers on the way, which is undefined for a NaN and
// for values beyond the integers. On the device that does no harm. But where PoCL's compiler knows
// the operand, it takes all code that follows to be impossible. So these functions pass on no such
// operand, or do not use the result.
//
// Beyond 2^23 all floats are whole numbers.
inline constexpr std::string_view kWhole =
    "static $C $N($C a) {\n"
    "  return fabs(a) < 0x1p+23f ? $B(a) : a;\n"
    "}\n";
inline constexpr std::string_view kFunction =
    "static $C $N($C a) {\n"
    "  const $C value = $B(a);\n"
    "  return a != a ? a : value;\n"
    "}\n";
inline constexpr std::string_view kPow =
    "static $C $N($C a, $C b) {\n"
    "  const $C value = pow(a, b != b ? ($C)(1) : b);\n"
    "  return (b != b) & (a != ($C)(1)) ? b : value;\n"
    "}\n";

inline constexpr std::array kPreludeOps{
    PreludeOp{"div", kDivideUnsigned, kDivideSigned},
    PreludeOp{"mod", kModUnsigned, kModSigned},
    PreludeOp{"min", kMin},
    PreludeOp{"max", kMax},
    PreludeOp{"pow", kPow},
    PreludeOp{"exp", kFunction},
    PreludeOp{"exp2", kFunction},
    PreludeOp{"tanh", kFunction},
    PreludeOp{"floor", kWhole},
    PreludeOp{"ceil", kWhole},
    PreludeOp{"trunc", kWhole},
    PreludeOp{"rint", kWhole},
};

inline constexpr PreludePatterns kPrelude{
    .load = kLoad,
    .load_vector = kLoadVector,
    .store = kStore,
    .store_vector = kStoreVector,
    .atomic = kAtomic,
    .atomic_compare_exchange = kAtomicExchange,
    .trip_count = kTripCount,
    .float_to_unsigned = kFloatToUnsigned,
    .float_to_signed = kFloatToSigned,
    .widen_signed = kWidenSigned,
    .operations = kPreludeOps,
};

}  // namespace vyre::emit::opencl
