// The reserved words of OpenCL C, beyond those of C.

#pragma once

#include <array>
#include <string_view>

#include "emit/c_like/c_names.h"

namespace vyre::emit::opencl {

// Types that also come with a vector width behind them.
inline constexpr std::array<std::string_view, 11> kVectorTypes{
    "uchar", "ushort", "uint", "ulong", "half", "char", "short", "int", "long", "float", "double"};

// Keywords, types and built-in functions that no prefix below covers.
inline constexpr std::string_view kWords =
    " kernel global local constant private generic read_only write_only read_write pipe uniform "
    "size_t ptrdiff_t intptr_t uintptr_t event_t sampler_t quad complex imaginary barrier "
    "mem_fence prefetch vec_step printf NULL "
    "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos "
    "cosh cospi erfc erf exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp "
    "hypot ilogb ldexp lgamma lgamma_r log log2 log10 log1p logb mad maxmag minmag modf nan "
    "nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos sinh sinpi sqrt "
    "tan tanh tanpi tgamma trunc abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max "
    "min mul_hi rotate sub_sat upsample popcount mad24 mul24 degrees mix radians step smoothstep "
    "sign cross dot distance length normalize fast_distance fast_length fast_normalize isequal "
    "isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan "
    "isnormal isordered isunordered signbit any all bitselect select shuffle shuffle2 ";

inline constexpr std::array<std::string_view, 21> kPrefixes{
    "get_",      "as_",   "convert_", "atomic_", "atom_", "native_", "half_",
    "async_",    "wait_", "vload",    "vstore",  "image", "read_",   "write_",
    "sub_group", "work_", "intel_",   "amd_",    "arm_",  "pocl",    "cl_"};

inline constexpr ReservedWords kReserved{
    .words = kWords, .prefixes = kPrefixes, .numbered = kVectorTypes};

}  // namespace vyre::emit::opencl
