// The reserved words of CUDA C++ and HIP C++, beyond those of C.

#pragma once

#include <array>
#include <string_view>

#include "emit/c_like/c_names.h"

namespace vyre::emit::cuda {

// Types that also come with a vector width behind them.
inline constexpr std::array<std::string_view, 15> kVectorTypes{
    "uchar", "ushort",   "uint",      "ulong",  "char", "short", "int",   "long",
    "float", "longlong", "ulonglong", "double", "half", "dim",   "bfloat"};

// Keywords of C++, names that kernels use, and the functions of the mathematical library: a kernel,
// which has C linkage, cannot have the name of one of these.
inline constexpr std::string_view kWords =
    " alignas alignof and and_eq bitand bitor catch char8_t char16_t char32_t co_await co_return "
    "co_yield compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast "
    "explicit export friend mutable namespace new noexcept not not_eq nullptr or or_eq private "
    "protected public reinterpret_cast requires static_assert static_cast thread_local throw try "
    "typeid typename using virtual wchar_t xor xor_eq std "
    "u64 i64 size_t ptrdiff_t intptr_t uintptr_t clock_t nullptr_t threadIdx blockIdx blockDim "
    "gridDim warpSize half bfloat16 assert clock clock64 printf fprintf malloc free memcpy memset "
    "memcmp memmove abort trap min max umin umax ullmin ullmax llmin llmax abs labs llabs signbit "
    "isfinite isinf isnan isnormal saturate fdividef sincospif sincospi norm3d norm4d norm rnorm "
    "acos acosf acosh acoshf asin asinf asinh asinhf atan atanf atan2 atan2f atanh atanhf cbrt "
    "cbrtf ceil ceilf copysign copysignf cos cosf cosh coshf cospi cospif erf erff erfc erfcf "
    "erfcinv erfcx erfinv exp expf exp10 exp10f exp2 exp2f expm1 expm1f fabs fabsf fdim fdimf "
    "floor floorf fma fmaf fmax fmaxf fmin fminf fmod fmodf frexp frexpf hypot hypotf ilogb "
    "ilogbf j0 j1 jn ldexp ldexpf lgamma lgammaf llrint llround log logf log10 log10f log1p log1pf "
    "log2 log2f logb logbf lrint lround modf modff nan nanf nearbyint nearbyintf nextafter "
    "nextafterf normcdf pow powf powi powif rcbrt rcbrtf remainder remainderf remquo remquof "
    "rhypot "
    "rint rintf round roundf rsqrt rsqrtf scalbn scalbnf sin sinf sincos sincosf sinh sinhf sinpi "
    "sinpif sqrt sqrtf tan tanf tanh tanhf tgamma tgammaf trunc truncf y0 y1 yn ";

// The atomics come for a block and for the system, too.
inline constexpr std::array<std::string_view, 14> kPrefixes{
    "atomicAdd", "atomicSub", "atomicExch", "atomicMin", "atomicMax", "atomicInc", "atomicDec",
    "atomicCAS", "atomicAnd", "atomicOr",   "atomicXor", "cuda",      "hip",       "make_"};

inline constexpr ReservedWords kReserved{
    .words = kWords, .prefixes = kPrefixes, .numbered = kVectorTypes};

}  // namespace vyre::emit::cuda
