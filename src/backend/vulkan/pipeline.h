// Pipeline: a kernel that the driver has compiled, with the layouts that a launch needs.
//
// Some drivers compile at the first launch, and not when the pipeline is made (lavapipe). On such a
// device a pipeline is launched once without a workgroup before it is handed out, so that the time
// limit for building covers all of the compiler's work.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/vulkan/context.h"
#include "backend/vulkan/shader_layout.h"

namespace vyre::backend::vulkan {

// A module and what the driver made of it in an earlier process, as the binary store keeps them.
struct CompiledShader {
  std::vector<std::uint32_t> spirv{};
  std::string driver_cache{};  // of a VkPipelineCache; empty: none
};

// A buffer that a launch binds.
struct BoundMemory {
  VkBuffer buffer = nullptr;
  VkDeviceSize offset = 0;
  VkDeviceSize bytes = 0;
};

class Pipeline {
 public:
  // rejected: shader, program and device do not agree. backend: the driver failed. Writes the
  // driver's cache to the shader.
  static Expected<std::shared_ptr<const Pipeline>> make(Context& context,
                                                        const PipelineRequest& request,
                                                        CompiledShader& shader);

  // Records the binding of buffers, one for each of the request's.
  Expected<void> bind(Batch& batch, std::span<const BoundMemory> memory) const;
  void push(const Batch& batch, std::span<const std::byte> values) const;

  VkPipeline handle() const { return pipeline_.get(); }
  VkPipelineLayout layout() const { return layout_.get(); }
  VkDescriptorSetLayout set_layout() const { return set_layout_.get(); }
  std::uint32_t push_bytes() const { return shape_.push_bytes; }
  // Of each value among the push constants.
  const std::vector<std::uint32_t>& offsets() const { return shape_.offsets; }

 private:
  Pipeline() = default;
  Expected<void> make_layouts(const Context& context);
  Expected<void> compile(const Context& context, const PipelineRequest& request,
                         CompiledShader& shader);
  Expected<void> rehearse(Context& context) const;

  ShaderLayout shape_;
  std::uint32_t buffers_ = 0;
  Owned<VkDescriptorSetLayout> set_layout_;
  Owned<VkPipelineLayout> layout_;
  Owned<VkPipeline> pipeline_;
};

}  // namespace vyre::backend::vulkan
