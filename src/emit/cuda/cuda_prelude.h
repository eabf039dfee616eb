// The prelude of CUDA C++. Keys of the patterns: see emit::PreludePatterns.

#pragma once

#include <array>
#include <string_view>

#include "emit/c_like/dialect.h"

namespace vyre::emit::cuda {

// CUDA's own vectors have no operators, and HIP's have; so vectors are structs of ours. Elements
// are loaded and stored one by one: a wide access faults where the memory is not aligned to its
// width, and a buffer may be any part of an allocation.
inline constexpr std::string_view kVector2 =
    "struct $C {\n"
    "  $E x, y;\n"
    "  template <class F, class... V>\n"
    "  static __device__ $C each(F f, V... v) {\n"
    "    return {f(v.x...), f(v.y...)};\n"
    "  }\n"
    "  static __device__ $C load(const $E* data, u64 at) {\n"
    "    return {data[at * 2], data[at * 2 + 1]};\n"
    "  }\n"
    "  static __device__ void store($E* data, u64 at, $C value) {\n"
    "    data[at * 2] = value.x;\n"
    "    data[at * 2 + 1] = value.y;\n"
    "  }\n"
    "};\n";
inline constexpr std::string_view kVector4 =
    "struct $C {\n"
    "  $E x, y, z, w;\n"
    "  template <class F, class... V>\n"
    "  static __device__ $C each(F f, V... v) {\n"
    "    return {f(v.x...), f(v.y...), f(v.z...), f(v.w...)};\n"
    "  }\n"
    "  static __device__ $C load(const $E* data, u64 at) {\n"
    "    return {data[at * 4], data[at * 4 + 1], data[at * 4 + 2], data[at * 4 + 3]};\n"
    "  }\n"
    "  static __device__ void store($E* data, u64 at, $C value) {\n"
    "    data[at * 4] = value.x;\n"
    "    data[at * 4 + 1] = value.y;\n"
    "    data[at * 4 + 2] = value.z;\n"
    "    data[at * 4 + 3] = value.w;\n"
    "  }\n"
    "};\n";
inline constexpr std::string_view kOperator1 =
    "static __device__ $C operator$B($C a) {\n"
    "  return $C::each([]($E p) { return $Bp; }, a);\n"
    "}\n";
inline constexpr std::string_view kOperator2 =
    "static __device__ $C operator$B($C a, $C b) {\n"
    "  return $C::each([]($E p, $E q) { return p $B q; }, a, b);\n"
    "}\n";
inline constexpr std::string_view kFunction1 =
    "static __device__ $C $N($C a) {\n"
    "  return $C::each([]($E p) { return $B(p); }, a);\n"
    "}\n";
inline constexpr std::string_view kFunction2 =
    "static __device__ $C $N($C a, $C b) {\n"
    "  return $C::each([]($E p, $E q) { return $B(p, q); }, a, b);\n"
    "}\n";
inline constexpr std::string_view kFunction3 =
    "static __device__ $C $N($C a, $C b, $C c) {\n"
    "  return $C::each([]($E p, $E q, $E r) { return $B(p, q, r); }, a, b, c);\n"
    "}\n";

// The index is a u64 whatever its type was: converting keeps the value of an unsigned index, and
// makes a negative one larger than every length.
inline constexpr std::string_view kLoad =
    "static __device__ $C $N(const $C* data, unsigned length, u64 at) {\n"
    "  return at < length ? data[at] : ($C)0;\n"
    "}\n";
inline constexpr std::string_view kLoadVector =
    "static __device__ $C $N(const $E* data, unsigned length, u64 at) {\n"
    "  return at < length / $W ? $C::load(data, at) : $C{};\n"
    "}\n";
inline constexpr std::string_view kStore =
    "static __device__ void $N($C* data, unsigned length, u64 at, $C value) {\n"
    "  if (at < length) data[at] = value;\n"
    "}\n";
inline constexpr std::string_view kStoreVector =
    "static __device__ void $N($E* data, unsigned length, u64 at, $C value) {\n"
    "  if (at < length / $W) $C::store(data, at, value);\n"
    "}\n";
inline constexpr std::string_view kAtomic =
    "static __device__ $C $N($C* data, unsigned length, u64 at, $C value) {\n"
    "  return at < length ? $B(&data[at], value) : ($C)0;\n"
    "}\n";
inline constexpr std::string_view kAtomicExchange =
    "static __device__ $C $N($C* data, unsigned length, u64 at, $C expected, $C value) {\n"
    "  return at < length ? $B(&data[at], expected, value) : ($C)0;\n"
    "}\n";
// The distance of two values of a type fits in its unsigned type.
inline constexpr std::string_view kTripCount =
    "static __device__ $U $N($C begin, $C end, $C step) {\n"
    "  return begin < end && step > 0 ? (($U)end - ($U)begin - 1) / ($U)step + 1 : 0;\n"
    "}\n";
// The device's own conversions saturate, but C++ leaves them undefined, and the compiler may know
// the operand.
inline constexpr std::string_view kFloatToUnsigned =
    "static __device__ $C $N(float a) {\n"
    "  return a >= $B ? ~($C)0 : a > 0.0f ? ($C)a : 0;\n"
    "}\n";
inline constexpr std::string_view kFloatToSigned =
    "static __device__ $C $N(float a) {\n"
    "  const $C most = ($C)(~($U)0 >> 1);\n"
    "  return a >= $B ? most : a >= -$B ? ($C)a : a < 0.0f ? -most - 1 : 0;\n"
    "}\n";

inline constexpr std::string_view kDivideUnsigned =
    "static __device__ $C $N($C a, $C b) {\n"
    "  return b == 0 ? ~($C)0 : a / b;\n"
    "}\n";
inline constexpr std::string_view kDivideSigned =
    "static __device__ $C $N($C a, $C b) {\n"
    "  return b == 0 ? -1 : b == -1 ? ($C)(0 - ($U)a) : a / b;\n"
    "}\n";
inline constexpr std::string_view kModUnsigned =
    "static __device__ $C $N($C a, $C b) {\n"
    "  return b == 0 ? 0 : a % b;\n"
    "}\n";
inline constexpr std::string_view kModSigned =
    "static __device__ $C $N($C a, $C b) {\n"
    "  return b == 0 || b == -1 ? 0 : a % b;\n"
    "}\n";
inline constexpr std::string_view kMin =
    "static __device__ $C $N($C a, $C b) {\n"
    "  return b < a ? b : a;\n"
    "}\n";
inline constexpr std::string_view kMax =
    "static __device__ $C $N($C a, $C b) {\n"
    "  return b > a ? b : a;\n"
    "}\n";
inline constexpr std::string_view kAbs =
    "static __device__ $C $N($C a) {\n"
    "  return a < 0 ? ($C)(0 - ($U)a) : a;\n"
    "}\n";
inline constexpr std::string_view kHighUnsigned =
    "static __device__ $C $N($C a, $C b) {\n"
    "  return sizeof(a) == 8 ? ($C)__umul64hi(a, b) : ($C)__umulhi((unsigned)a, (unsigned)b);\n"
    "}\n";
inline constexpr std::string_view kHighSigned =
    "static __device__ $C $N($C a, $C b) {\n"
    "  return sizeof(a) == 8 ? ($C)__mul64hi(a, b) : ($C)__mulhi((int)a, (int)b);\n"
    "}\n";
inline constexpr std::string_view kPopcount =
    "static __device__ $C $N($C a) {\n"
    "  return sizeof(a) == 8 ? __popcll((u64)a) : __popc((unsigned)a);\n"
    "}\n";
inline constexpr std::string_view kClz =
    "static __device__ $C $N($C a) {\n"
    "  return sizeof(a) == 8 ? __clzll((i64)a) : __clz((int)a);\n"
    "}\n";
inline constexpr std::string_view kBits =
    "template <class T>\n"
    "static __device__ $C $N(T a) {\n"
    "  return ($C)a;\n"
    "}\n"
    "static __device__ $C $N(float a) {\n"
    "  return ($C)__float_as_uint(a);\n"
    "}\n";
inline constexpr std::string_view kFloatBits =
    "template <class T>\n"
    "static __device__ float $N(T a) {\n"
    "  return __uint_as_float((unsigned)a);\n"
    "}\n"
    "static __device__ float $N(float a) {\n"
    "  return a;\n"
    "}\n";
inline constexpr std::string_view kIsNan =
    "static __device__ bool $N(float a) {\n"
    "  return a != a;\n"
    "}\n";
// The function of one float that CUDA calls $Bf.
inline constexpr std::string_view kOfFloat =
    "static __device__ float $N(float a) {\n"
    "  return $Bf(a);\n"
    "}\n";
// fmin and fmax ignore one NaN, as ours do.
inline constexpr std::string_view kOfFloats =
    "static __device__ float $N(float a, float b) {\n"
    "  return $Bf(a, b);\n"
    "}\n";
inline constexpr std::string_view kFma =
    "static __device__ float $N(float a, float b, float c) {\n"
    "  return fmaf(a, b, c);\n"
    "}\n";

inline constexpr std::array kPreludeOps{
    PreludeOp{"div", kDivideUnsigned, kDivideSigned},
    PreludeOp{"mod", kModUnsigned, kModSigned},
    PreludeOp{"mulhi", kHighUnsigned, kHighSigned},
    PreludeOp{"min", kMin},
    PreludeOp{"max", kMax},
    PreludeOp{"abs", kAbs},
    PreludeOp{"popcount", kPopcount},
    PreludeOp{"clz", kClz},
    PreludeOp{"bits", kBits},
    PreludeOp{"float_bits", kFloatBits},
    PreludeOp{"is_nan", kIsNan},
    PreludeOp{"fmin", kOfFloats},
    PreludeOp{"fmax", kOfFloats},
    PreludeOp{"pow", kOfFloats},
    PreludeOp{"fma", kFma},
    PreludeOp{"fabs", kOfFloat},
    PreludeOp{"sqrt", kOfFloat},
    PreludeOp{"rsqrt", kOfFloat},
    PreludeOp{"exp", kOfFloat},
    PreludeOp{"exp2", kOfFloat},
    PreludeOp{"log", kOfFloat},
    PreludeOp{"log2", kOfFloat},
    PreludeOp{"sin", kOfFloat},
    PreludeOp{"cos", kOfFloat},
    PreludeOp{"tanh", kOfFloat},
    PreludeOp{"floor", kOfFloat},
    PreludeOp{"ceil", kOfFloat},
    PreludeOp{"trunc", kOfFloat},
    PreludeOp{"rint", kOfFloat},
};

inline constexpr PreludePatterns kPrelude{
    .vectors = {kVector2, kVector4},
    .vector_operators = {kOperator1, kOperator2},
    .vector_functions = {kFunction1, kFunction2, kFunction3},
    .load = kLoad,
    .load_vector = kLoadVector,
    .store = kStore,
    .store_vector = kStoreVector,
    .atomic = kAtomic,
    .atomic_compare_exchange = kAtomicExchange,
    .trip_count = kTripCount,
    .float_to_unsigned = kFloatToUnsigned,
    .float_to_signed = kFloatToSigned,
    .operations = kPreludeOps,
};

}  // namespace vyre::emit::cuda
