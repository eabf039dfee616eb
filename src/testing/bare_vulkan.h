// A Vulkan device by the bare API, for tests: the first that the loader names, with its functions.

#pragma once

#include <cstdint>
#include <string>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

namespace vyre::testing {

// A struct of the API with its type filled in and all else 0.
template <class Info>
Info start_of(VkStructureType type) {
  Info out{};
  out.sType = type;
  return out;
}

// The functions that are called here, by name.
// clang-format off
#define VYRE_VULKAN_CALLS(CALL) \
  CALL(CreateBuffer) CALL(DestroyBuffer) CALL(GetBufferMemoryRequirements) \
  CALL(AllocateMemory) CALL(FreeMemory) CALL(BindBufferMemory) CALL(MapMemory) \
  CALL(CreateShaderModule) CALL(DestroyShaderModule) CALL(CreateDescriptorSetLayout) \
  CALL(DestroyDescriptorSetLayout) CALL(CreatePipelineLayout) CALL(DestroyPipelineLayout) \
  CALL(CreateComputePipelines) CALL(DestroyPipeline) CALL(CreateDescriptorPool) \
  CALL(DestroyDescriptorPool) CALL(AllocateDescriptorSets) CALL(UpdateDescriptorSets) \
  CALL(CreateCommandPool) CALL(DestroyCommandPool) CALL(AllocateCommandBuffers) \
  CALL(BeginCommandBuffer) CALL(EndCommandBuffer) CALL(CmdBindPipeline) \
  CALL(CmdBindDescriptorSets) CALL(CmdPushConstants) CALL(CmdDispatch) CALL(GetDeviceQueue) \
  CALL(QueueSubmit) CALL(QueueWaitIdle)
// clang-format on

struct Vulkan {
#define VYRE_MEMBER(name) PFN_vk##name name = nullptr;
  VYRE_VULKAN_CALLS(VYRE_MEMBER)
#undef VYRE_MEMBER
  VkDevice device = nullptr;
  VkQueue queue = nullptr;
  std::uint32_t family = 0;
  std::uint32_t memory_type = 0;
  std::string why_not;

  Vulkan();

 private:
  std::string open();
  std::string make_device(PFN_vkGetInstanceProcAddr get, VkInstance instance);
};

// Opened once per process and never closed.
const Vulkan& vulkan();

}  // namespace vyre::testing
