#include "backend/vulkan/pipeline.h"

#include <array>

#include "base/small_array.h"
#include "base/text.h"

namespace vyre::backend::vulkan {
namespace {

// What the driver knows of the pipeline now; empty where it does not say.
std::string content_of(const DeviceHandle& device, VkPipelineCache cache) {
  const DeviceFunctions& call = device.call();
  std::size_t size = 0;
  if (call.vkGetPipelineCacheData(device.get(), cache, &size, nullptr) != VK_SUCCESS) return {};
  std::string out(size, '\0');
  if (call.vkGetPipelineCacheData(device.get(), cache, &size, out.data()) != VK_SUCCESS) return {};
  out.resize(size);
  return out;
}

// A driver ignores a cache that is not its own.
Expected<Owned<VkPipelineCache>> open_cache(const std::shared_ptr<DeviceHandle>& device,
                                            const std::string& content) {
  const VkPipelineCacheCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                       .pNext = nullptr,
                                       .flags = 0,
                                       .initialDataSize = content.size(),
                                       .pInitialData = content.data()};
  return make_object(device, device->call().vkCreatePipelineCache, info, "no pipeline cache");
}

}  // namespace

Expected<std::shared_ptr<const Pipeline>> Pipeline::make(Context& context,
                                                         const PipelineRequest& request,
                                                         CompiledShader& shader) {
  VYRE_TRY(const SpirvInfo info, describe_spirv(shader.spirv));
  std::shared_ptr<Pipeline> out(new Pipeline);
  VYRE_TRY(out->shape_, lay_out(request, info, context.facts()));
  out->buffers_ = static_cast<std::uint32_t>(request.buffers.size());
  VYRE_TRY_VOID(out->make_layouts(context));
  VYRE_TRY_VOID(out->compile(context, request, shader));
  if (context.facts().compiles_at_launch) VYRE_TRY_VOID(out->rehearse(context));
  return out;
}

Expected<void> Pipeline::make_layouts(const Context& context) {
  const DeviceFunctions& call = context.call();
  std::vector<VkDescriptorSetLayoutBinding> bindings(buffers_);
  for (std::uint32_t k = 0; k < buffers_; ++k) {
    bindings[k] = {.binding = k,
                   .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                   .descriptorCount = 1,
                   .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                   .pImmutableSamplers = nullptr};
  }
  const VkDescriptorSetLayoutCreateInfo sets{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .pNext = nullptr,
      .flags = 0,
      .bindingCount = buffers_,
      .pBindings = bindings.data()};
  VYRE_TRY(set_layout_, make_object(context.device(), call.vkCreateDescriptorSetLayout, sets,
                                    "no layout of buffers"));
  const VkDescriptorSetLayout set = set_layout_.get();
  const VkPushConstantRange range{
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .offset = 0, .size = shape_.push_bytes};
  const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                        .pNext = nullptr,
                                        .flags = 0,
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &set,
                                        .pushConstantRangeCount = range.size > 0 ? 1U : 0U,
                                        .pPushConstantRanges = &range};
  VYRE_TRY(layout_, make_object(context.device(), call.vkCreatePipelineLayout, info,
                                "no layout of a pipeline"));
  return {};
}

Expected<void> Pipeline::compile(const Context& context, const PipelineRequest& request,
                                 CompiledShader& shader) {
  const std::shared_ptr<DeviceHandle>& device = context.device();
  const std::string what = fmt::format("compiling {}", quote(request.name));
  const VkShaderModuleCreateInfo code{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                      .pNext = nullptr,
                                      .flags = 0,
                                      .codeSize = shader.spirv.size() * sizeof(std::uint32_t),
                                      .pCode = shader.spirv.data()};
  VYRE_TRY(const auto module, make_object(device, device->call().vkCreateShaderModule, code, what));
  VYRE_TRY(const auto cache, open_cache(device, shader.driver_cache));
  const VkSpecializationInfo constants{
      .mapEntryCount = static_cast<std::uint32_t>(shape_.entries.size()),
      .pMapEntries = shape_.entries.data(),
      .dataSize = shape_.constants.size(),
      .pData = shape_.constants.data()};
  const VkPipelineShaderStageCreateInfo stage{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
      .pNext = nullptr,
      .flags = 0,
      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
      .module = module.get(),
      .pName = "main",
      .pSpecializationInfo = &constants};
  const VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                         .pNext = nullptr,
                                         .flags = 0,
                                         .stage = stage,
                                         .layout = layout_.get(),
                                         .basePipelineHandle = nullptr,
                                         .basePipelineIndex = -1};
  VkPipeline made = nullptr;
  VYRE_TRY_VOID(device->check(
      device->call().vkCreateComputePipelines(device->get(), cache.get(), 1, &info, nullptr, &made),
      what));
  pipeline_ = Owned<VkPipeline>(device, made);
  shader.driver_cache = content_of(*device, cache.get());
  return {};
}

Expected<void> Pipeline::bind(Batch& batch, std::span<const BoundMemory> memory) const {
  const DeviceFunctions& call = batch.device().call();
  VYRE_TRY(const VkDescriptorSet set, batch.allocate_set(set_layout_.get(), buffers_));
  SmallArray<VkDescriptorBufferInfo, 16> infos(buffers_);
  SmallArray<VkWriteDescriptorSet, 16> writes(buffers_);
  for (std::uint32_t k = 0; k < buffers_; ++k) {
    infos[k] = {.buffer = memory[k].buffer, .offset = memory[k].offset, .range = memory[k].bytes};
    writes[k] = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                 .pNext = nullptr,
                 .dstSet = set,
                 .dstBinding = k,
                 .dstArrayElement = 0,
                 .descriptorCount = 1,
                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                 .pImageInfo = nullptr,
                 .pBufferInfo = &infos[k],
                 .pTexelBufferView = nullptr};
  }
  if (buffers_ > 0) {
    call.vkUpdateDescriptorSets(batch.device().get(), buffers_, &writes[0], 0, nullptr);
  }
  call.vkCmdBindPipeline(batch.commands(), VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
  call.vkCmdBindDescriptorSets(batch.commands(), VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0,
                               1, &set, 0, nullptr);
  return {};
}

void Pipeline::push(const Batch& batch, std::span<const std::byte> values) const {
  if (values.empty()) return;
  batch.device().call().vkCmdPushConstants(
      batch.commands(), layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
      static_cast<std::uint32_t>(values.size()), values.data());
}

Expected<void> Pipeline::rehearse(Context& context) const {
  const std::vector<BoundMemory> nothing(
      buffers_, {.buffer = context.zeros()->buffer(), .offset = 0, .bytes = VK_WHOLE_SIZE});
  const std::array<std::byte, kMostPushBytes> zeros{};
  const auto command = [&](Batch& batch) -> Expected<void> {
    VYRE_TRY_VOID(bind(batch, nothing));
    push(batch, std::span(zeros).first(shape_.push_bytes));
    context.call().vkCmdDispatch(batch.commands(), 0, 0, 0);
    return {};
  };
  VYRE_TRY(const std::uint64_t serial, context.stream().record(buffers_, command));
  return context.stream().wait(serial);
}

}  // namespace vyre::backend::vulkan
