#include "backend/vulkan/batch.h"

#include <limits>

namespace vyre::backend::vulkan {

Expected<std::shared_ptr<Batch>> Batch::make(std::shared_ptr<DeviceHandle> device,
                                             std::uint32_t queue_family) {
  std::shared_ptr<Batch> out(new Batch(std::move(device)));
  VYRE_TRY_VOID(out->allocate(queue_family));
  return out;
}

Expected<void> Batch::allocate(std::uint32_t queue_family) {
  const DeviceFunctions& call = device_->call();
  const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .pNext = nullptr,
                                     .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                     .queueFamilyIndex = queue_family};
  VYRE_TRY(pool_, make_object(device_, call.vkCreateCommandPool, pool, "no command pool"));
  const VkCommandBufferAllocateInfo commands{
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .pNext = nullptr,
      .commandPool = pool_.get(),
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = 1};
  VYRE_TRY_VOID(device_->check(call.vkAllocateCommandBuffers(device_->get(), &commands, &recorded_),
                               "no command buffer"));
  const VkDescriptorPoolSize size{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .descriptorCount = kMostDescriptors};
  const VkDescriptorPoolCreateInfo sets{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                        .pNext = nullptr,
                                        .flags = 0,
                                        .maxSets = kMostCommands,
                                        .poolSizeCount = 1,
                                        .pPoolSizes = &size};
  VYRE_TRY(sets_, make_object(device_, call.vkCreateDescriptorPool, sets, "no descriptor pool"));
  const VkFenceCreateInfo fence{
      .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .pNext = nullptr, .flags = 0};
  VYRE_TRY(fence_, make_object(device_, call.vkCreateFence, fence, "no fence"));
  return {};
}

Expected<void> Batch::begin(std::uint64_t serial) {
  serial_ = serial;
  const VkCommandBufferBeginInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pNext = nullptr,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
                                      .pInheritanceInfo = nullptr};
  return device_->check(device_->call().vkBeginCommandBuffer(recorded_, &info),
                        "recording commands failed");
}

Expected<void> Batch::submit(VkQueue queue) {
  const DeviceFunctions& call = device_->call();
  VYRE_TRY_VOID(device_->check(call.vkEndCommandBuffer(recorded_), "recording commands failed"));
  const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .pNext = nullptr,
                          .waitSemaphoreCount = 0,
                          .pWaitSemaphores = nullptr,
                          .pWaitDstStageMask = nullptr,
                          .commandBufferCount = 1,
                          .pCommandBuffers = &recorded_,
                          .signalSemaphoreCount = 0,
                          .pSignalSemaphores = nullptr};
  ++vulkan_counters().submissions;
  return device_->check(call.vkQueueSubmit(queue, 1, &info, fence_.get()),
                        "the device takes no commands");
}

Expected<bool> Batch::is_done() {
  const VkResult code = device_->call().vkGetFenceStatus(device_->get(), fence_.get());
  if (code == VK_NOT_READY) return false;
  VYRE_TRY_VOID(device_->check(code, "a launch failed"));
  return true;
}

Expected<void> Batch::wait() {
  const VkFence fence = fence_.get();
  const VkResult code = device_->call().vkWaitForFences(device_->get(), 1, &fence, VK_TRUE,
                                                        std::numeric_limits<std::uint64_t>::max());
  return device_->check(code, "waiting for the device failed");
}

Expected<void> Batch::reset() {
  const DeviceFunctions& call = device_->call();
  const VkFence fence = fence_.get();
  kept_.clear();
  commands_ = 0;
  descriptors_ = 0;
  VYRE_TRY_VOID(device_->check(call.vkResetFences(device_->get(), 1, &fence),
                               "a fence cannot be used again"));
  VYRE_TRY_VOID(device_->check(call.vkResetDescriptorPool(device_->get(), sets_.get(), 0),
                               "a descriptor pool cannot be used again"));
  return device_->check(call.vkResetCommandPool(device_->get(), pool_.get(), 0),
                        "a command buffer cannot be used again");
}

Expected<VkDescriptorSet> Batch::allocate_set(VkDescriptorSetLayout layout,
                                              std::uint32_t descriptors) {
  const VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                         .pNext = nullptr,
                                         .descriptorPool = sets_.get(),
                                         .descriptorSetCount = 1,
                                         .pSetLayouts = &layout};
  VkDescriptorSet out = nullptr;
  VYRE_TRY_VOID(device_->check(
      device_->call().vkAllocateDescriptorSets(device_->get(), &info, &out), "no descriptor set"));
  descriptors_ += descriptors;
  return out;
}

void Batch::end_command() {
  constexpr VkPipelineStageFlags kWork =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkMemoryBarrier kBarrier{
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .pNext = nullptr,
      .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                       VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                       VK_ACCESS_HOST_READ_BIT};
  device_->call().vkCmdPipelineBarrier(recorded_, kWork, kWork | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                                       &kBarrier, 0, nullptr, 0, nullptr);
  ++commands_;
}

}  // namespace vyre::backend::vulkan
