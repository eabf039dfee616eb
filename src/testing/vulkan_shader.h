// GLSL compiled and run with the bare Vulkan API: for tests of the emitted code.
//
// The first device that the loader names, once per process; it is never closed.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vyre/error.h"

namespace vyre::testing {

// Why no Vulkan device can be used here; empty: one can.
std::string why_no_vulkan();

class VulkanShader {
 public:
  using Definitions = std::vector<std::pair<std::string, std::string>>;

  // A shader that emit::glsl wrote, with that many buffers. rejected, with the compiler's messages,
  // if it does not compile.
  static Expected<std::unique_ptr<VulkanShader>> compile(const std::string& source,
                                                         std::uint32_t buffers,
                                                         const Definitions& definitions);
  ~VulkanShader();
  VulkanShader(const VulkanShader&) = delete;
  VulkanShader& operator=(const VulkanShader&) = delete;

  // Buffers go in and come back. `values` are the push constants behind the ids of the grid.
  Expected<void> run(std::span<std::vector<std::byte>> buffers, std::span<const std::byte> values,
                     const std::array<std::uint32_t, 3>& groups);

 private:
  struct Objects;
  explicit VulkanShader(std::unique_ptr<Objects> objects);
  std::unique_ptr<Objects> objects_;
};

// The macros that emit/glsl/glsl.h names, for lavapipe: its fma rounds twice and its exp is off by
// 62 ulp. `float64`: fma is computed in doubles.
VulkanShader::Definitions lavapipe_quirks(bool float64);

}  // namespace vyre::testing
