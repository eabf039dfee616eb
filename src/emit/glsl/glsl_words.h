// The reserved words of GLSL for Vulkan, beyond those of C.

#pragma once

#include <array>
#include <string_view>

#include "emit/c_like/c_names.h"

namespace vyre::emit::glsl_dialect {

// Types that also come with a number behind them, or between letters as in mat2x3.
inline constexpr std::array<std::string_view, 11> kNumbered{
    "vec", "ivec", "uvec", "bvec", "dvec", "mat", "dmat", "hvec", "fvec", "float", "int"};

// Keywords, words that are kept for the future, and built-in functions.
inline constexpr std::string_view kWords =
    " uint half fixed uniform buffer shared coherent restrict readonly writeonly atomic_uint "
    "layout "
    "centroid flat smooth noperspective patch sample invariant precise subroutine in out inout "
    "discard lowp mediump highp precision attribute varying common partition active filter "
    "resource noinline public external interface superp input output using namespace cast sampler "
    "row_major packed demote terminateInvocation nonuniformEXT devicecoherent queuefamilycoherent "
    "workgroupcoherent subgroupcoherent nonprivate shadercallcoherent "
    "radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2 "
    "log2 sqrt inversesqrt abs sign floor trunc round roundEven ceil fract mod modf min max clamp "
    "mix step smoothstep isnan isinf fma frexp ldexp length distance dot cross normalize "
    "ftransform "
    "faceforward reflect refract matrixCompMult outerProduct transpose determinant inverse "
    "lessThan "
    "lessThanEqual greaterThan greaterThanEqual equal notEqual any all not uaddCarry usubBorrow "
    "umulExtended imulExtended bitfieldExtract bitfieldInsert bitfieldReverse bitCount findLSB "
    "findMSB dFdx dFdy fwidth barrier controlBarrier memoryBarrier memoryBarrierBuffer "
    "memoryBarrierShared memoryBarrierImage groupMemoryBarrier anyInvocation allInvocations "
    "allInvocationsEqual helperInvocationEXT ";

inline constexpr std::array<std::string_view, 38> kPrefixes{
    "gl_",      "sampler",  "isampler",  "usampler",  "image",     "iimage",   "uimage",
    "texture",  "itexture", "utexture",  "subpass",   "isubpass",  "usubpass", "atomic",
    "subgroup", "int8_t",   "uint8_t",   "int16_t",   "uint16_t",  "int32_t",  "uint32_t",
    "int64_t",  "uint64_t", "float16_t", "float32_t", "float64_t", "i8vec",    "u8vec",
    "i16vec",   "u16vec",   "i32vec",    "u32vec",    "i64vec",    "u64vec",   "f16vec",
    "spirv_",   "pack",     "unpack"};

inline constexpr ReservedWords kReserved{
    .words = kWords, .prefixes = kPrefixes, .numbered = kNumbered};

}  // namespace vyre::emit::glsl_dialect
