// ShaderLayout: how the values of a launch reach a shader, after a check that shader, program and
// device agree.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "backend/vulkan/describe.h"
#include "backend/vulkan/spirv_info.h"

namespace vyre::backend::vulkan {

// A tunable, for a specialisation constant of the same name.
struct TunableValue {
  std::string name;
  double number = 0;       // for constants with a fraction
  std::uint64_t bits = 0;  // for all others
};

struct NamedValue {
  std::string name;
  std::uint32_t bytes = 0;
};

struct PipelineRequest {
  std::string name{};  // for messages
  std::string file{};  // for the compiler's
  std::string text{};
  std::vector<std::pair<std::string, std::string>> definitions{};
  bool is_ours = true;                   // emitted, and not a user's
  std::vector<std::string> buffers{};    // by binding
  std::vector<NamedValue> values{};      // in the push constants, in order
  std::vector<TunableValue> tunables{};  // of a user's shader
  Extent workgroup{1, 1, 1};
};

// The first bytes of our own kernels' push constants: the offset of the first workgroup on each
// axis, 0, the number of workgroups on each axis, 0.
inline constexpr std::uint32_t kGridBytes = 32;
// A launch has room for this many. Devices take 128, or more.
inline constexpr std::uint32_t kMostPushBytes = 256;

struct ShaderLayout {
  std::vector<std::uint32_t> offsets{};  // of each value among the push constants
  std::uint32_t push_bytes = 0;          // a multiple of 4
  std::vector<VkSpecializationMapEntry> entries{};
  std::vector<std::uint8_t> constants{};  // what the entries point to
};

// rejected: they do not agree; the message says where.
Expected<ShaderLayout> lay_out(const PipelineRequest& request, const SpirvInfo& info,
                               const DeviceFacts& facts);

}  // namespace vyre::backend::vulkan
