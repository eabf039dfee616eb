// Programs as GLSL 4.6 compute shaders for Vulkan 1.1 and newer.
//
// The k-th buffer parameter (order: emit/c_like/translation_unit.h) is binding k of set 0, a std430
// array of its element type, `readonly` if it is only read. The push constants are one block:
//
//   byte 0    the first workgroup of this launch along each axis (three u32 and one unused), for
//             grids that are launched in parts
//   byte 16   the number of workgroups of the whole grid (the same)
//   byte 32   the value parameters in order, each aligned to its size; a bool is a u32
//
// The caller makes SPIR-V of the text without contraction (backend/vulkan/spirv.h,
// `exact_arithmetic`). Quirks of devices are macros, so that the text is the same for all:
//
//   VYRE_OWN_FMA        fma() of the device rounds twice: computed in integers, or faster in
//   doubles VYRE_FLOAT64        with VYRE_FLOAT64 where the device has doubles VYRE_OWN_FUNCTIONS
//   exp, exp2, log, log2, sin and cos of the device miss the language's bounds VYRE_FLOAT_CONTROLS
//   the device can be told to keep infinities and NaN
//
// 64-bit integers are in the text only if the program has them.

#pragma once

#include <span>
#include <string>

#include "emit/c_like/translation_unit.h"

namespace vyre::emit {

// One shader of one kernel: `kernels` has exactly one element, and its entry is always `main`.
// Errors: see translation_unit.
Expected<std::string> glsl(std::span<const KernelSource> kernels);

}  // namespace vyre::emit
