// GLSL text to SPIR-V, through glslang and SPIRV-Tools, which are linked into the library.
//
// Every module that leaves here was validated for the device's version of Vulkan, so a driver never
// sees a module that is not valid. Threads: any number at once. The first call costs about 0.1 s
// more.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "vyre/error.h"

namespace vyre::backend::vulkan {

struct SpirvOptions {
  std::vector<std::pair<std::string, std::string>> definitions = {};  // macros: name, value
  std::uint32_t vulkan_minor = 1;  // of the device's API version 1.x; 3 where it is more
  bool optimise = true;
  std::string file = {};  // for messages
  // For kernels of our language: no product and sum may become one fused operation, and no float
  // operation may be reordered (NoContraction on each, which is GLSL's `precise` everywhere).
  bool exact_arithmetic = false;
};

// The words of a compute shader whose entry is `main`. rejected: the compiler's errors with the
// user's file and line. backend: the library was built without glslang, or a module of ours is not
// valid.
Expected<std::vector<std::uint32_t>> compile_glsl(const std::string& text,
                                                  const SpirvOptions& options);

// Names the compiler and its version, for keys of what it made. Another version of glslang, of
// SPIRV-Tools or of our own passes has another name. Empty: built without them.
std::string spirv_compiler();

}  // namespace vyre::backend::vulkan
