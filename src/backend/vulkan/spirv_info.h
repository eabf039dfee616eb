// SpirvInfo: what a compute shader in SPIR-V declares: buffers, push constants, specialisation
// constants, the size of its workgroup.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vyre/error.h"

namespace vyre::backend::vulkan {

enum class SpirvType : std::uint8_t { boolean, natural, whole, real, other };

struct SpirvInfo {
  struct Constant {
    std::uint32_t id = 0;  // of the specialisation
    std::string name{};    // empty: the shader has none for it
    SpirvType type = SpirvType::natural;
    std::uint32_t bytes = 4;
    std::optional<std::size_t> axis{};  // of the workgroup, whose size it is
  };
  struct Member {
    std::string name{};
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
  };
  struct Resource {
    std::string name{};
    std::uint32_t set = 0;
    std::uint32_t binding = 0;
    bool is_storage_buffer = true;
  };
  std::vector<std::uint32_t> capabilities{};
  // Of arrays in shared memory. Those whose length is a specialisation constant do not count.
  std::uint64_t shared_bytes = 0;
  std::vector<Constant> constants{};
  std::vector<Resource> resources{};         // by binding
  std::vector<Member> push_constants{};      // of the one block, in order
  std::array<std::uint32_t, 3> workgroup{};  // 0: a specialisation constant has it
};

// backend: the words are no module. Only modules that were validated are described right.
Expected<SpirvInfo> describe_spirv(std::span<const std::uint32_t> words);

}  // namespace vyre::backend::vulkan
