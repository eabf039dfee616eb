#include "testing/vulkan_shader.h"

#include <algorithm>
#include <cstring>

#include "backend/vulkan/spirv.h"
#include "base/error.h"
#include "testing/bare_vulkan.h"

namespace vyre::testing {
namespace {

constexpr std::uint32_t kIdBytes = 32;
constexpr std::uint32_t kPushBytes = 128;

// A buffer of the host's memory.
struct Memory {
  VkBuffer buffer = nullptr;
  VkDeviceMemory memory = nullptr;
  void* mapped = nullptr;

  explicit Memory(std::size_t bytes) {
    const Vulkan& vk = vulkan();
    auto info = start_of<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    vk.CreateBuffer(vk.device, &info, nullptr, &buffer);
    VkMemoryRequirements needs{};
    vk.GetBufferMemoryRequirements(vk.device, buffer, &needs);
    auto allocation = start_of<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocation.allocationSize = needs.size;
    allocation.memoryTypeIndex = vk.memory_type;
    vk.AllocateMemory(vk.device, &allocation, nullptr, &memory);
    vk.BindBufferMemory(vk.device, buffer, memory, 0);
    vk.MapMemory(vk.device, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    vulkan().DestroyBuffer(vulkan().device, buffer, nullptr);
    vulkan().FreeMemory(vulkan().device, memory, nullptr);
  }
};

}  // namespace

struct VulkanShader::Objects {
  std::uint32_t buffers = 0;
  VkShaderModule module = nullptr;
  VkDescriptorSetLayout set_layout = nullptr;
  VkPipelineLayout layout = nullptr;
  VkPipeline pipeline = nullptr;
  VkDescriptorPool descriptors = nullptr;
  VkDescriptorSet set = nullptr;
  VkCommandPool commands = nullptr;
  VkCommandBuffer command = nullptr;

  explicit Objects(std::uint32_t count) : buffers(count) {}
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  ~Objects() {
    const Vulkan& vk = vulkan();
    vk.DestroyCommandPool(vk.device, commands, nullptr);
    vk.DestroyDescriptorPool(vk.device, descriptors, nullptr);
    vk.DestroyPipeline(vk.device, pipeline, nullptr);
    vk.DestroyPipelineLayout(vk.device, layout, nullptr);
    vk.DestroyDescriptorSetLayout(vk.device, set_layout, nullptr);
    vk.DestroyShaderModule(vk.device, module, nullptr);
  }

  bool make_layout() {
    const Vulkan& vk = vulkan();
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (std::uint32_t k = 0; k < buffers; ++k) {
      bindings.push_back({.binding = k,
                          .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                          .descriptorCount = 1,
                          .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                          .pImmutableSamplers = nullptr});
    }
    auto set_info = start_of<VkDescriptorSetLayoutCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    set_info.bindingCount = buffers;
    set_info.pBindings = bindings.data();
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes};
    auto info = start_of<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 1;
    info.pSetLayouts = &set_layout;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    return vk.CreateDescriptorSetLayout(vk.device, &set_info, nullptr, &set_layout) == VK_SUCCESS &&
           vk.CreatePipelineLayout(vk.device, &info, nullptr, &layout) == VK_SUCCESS;
  }

  bool make_pipeline(const std::vector<std::uint32_t>& words) {
    const Vulkan& vk = vulkan();
    auto module_info =
        start_of<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    module_info.codeSize = words.size() * sizeof(words[0]);
    module_info.pCode = words.data();
    if (vk.CreateShaderModule(vk.device, &module_info, nullptr, &module) != VK_SUCCESS) {
      return false;
    }
    auto info =
        start_of<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.layout = layout;
    return vk.CreateComputePipelines(vk.device, nullptr, 1, &info, nullptr, &pipeline) ==
           VK_SUCCESS;
  }

  bool make_command() {
    const Vulkan& vk = vulkan();
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, std::max(buffers, 1U)};
    auto pool = start_of<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    vk.CreateDescriptorPool(vk.device, &pool, nullptr, &descriptors);
    auto sets =
        start_of<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    sets.descriptorPool = descriptors;
    sets.descriptorSetCount = 1;
    sets.pSetLayouts = &set_layout;
    auto info = start_of<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    info.queueFamilyIndex = vk.family;
    vk.CreateCommandPool(vk.device, &info, nullptr, &commands);
    auto buffer =
        start_of<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    buffer.commandPool = commands;
    buffer.commandBufferCount = 1;
    return vk.AllocateDescriptorSets(vk.device, &sets, &set) == VK_SUCCESS &&
           vk.AllocateCommandBuffers(vk.device, &buffer, &command) == VK_SUCCESS;
  }

  void bind(const std::vector<std::unique_ptr<Memory>>& memory) const {
    for (std::uint32_t k = 0; k < memory.size(); ++k) {
      const VkDescriptorBufferInfo part{memory[k]->buffer, 0, VK_WHOLE_SIZE};
      auto write = start_of<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
      write.dstSet = set;
      write.dstBinding = k;
      write.descriptorCount = 1;
      write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      write.pBufferInfo = &part;
      vulkan().UpdateDescriptorSets(vulkan().device, 1, &write, 0, nullptr);
    }
  }

  VkResult launch(const std::array<std::byte, kPushBytes>& push,
                  const std::array<std::uint32_t, 3>& groups) const {
    const Vulkan& vk = vulkan();
    auto begin = start_of<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    vk.BeginCommandBuffer(command, &begin);
    vk.CmdBindPipeline(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdBindDescriptorSets(command, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                             nullptr);
    vk.CmdPushConstants(command, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes, push.data());
    vk.CmdDispatch(command, groups[0], groups[1], groups[2]);
    vk.EndCommandBuffer(command);
    auto submit = start_of<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &command;
    const VkResult submitted = vk.QueueSubmit(vk.queue, 1, &submit, nullptr);
    return submitted == VK_SUCCESS ? vk.QueueWaitIdle(vk.queue) : submitted;
  }
};

std::string why_no_vulkan() { return vulkan().why_not; }

VulkanShader::VulkanShader(std::unique_ptr<Objects> objects) : objects_(std::move(objects)) {}
VulkanShader::~VulkanShader() = default;

Expected<std::unique_ptr<VulkanShader>> VulkanShader::compile(const std::string& source,
                                                              std::uint32_t buffers,
                                                              const Definitions& definitions) {
  VYRE_TRY(const auto words, backend::vulkan::compile_glsl(
                                 source, {.definitions = definitions, .exact_arithmetic = true}));
  auto objects = std::make_unique<Objects>(buffers);
  if (!objects->make_layout() || !objects->make_pipeline(words) || !objects->make_command()) {
    return backend_error("the Vulkan driver does not take the shader");
  }
  return std::unique_ptr<VulkanShader>(new VulkanShader(std::move(objects)));
}

Expected<void> VulkanShader::run(std::span<std::vector<std::byte>> buffers,
                                 std::span<const std::byte> values,
                                 const std::array<std::uint32_t, 3>& groups) {
  if (kIdBytes + values.size() > kPushBytes) return bad_inputs("too many values");
  std::array<std::byte, kPushBytes> push{};
  std::memcpy(&push[16], groups.data(), sizeof(groups));
  std::ranges::copy(values, push.begin() + kIdBytes);
  std::vector<std::unique_ptr<Memory>> memory;
  for (const auto& bytes : buffers) {
    memory.push_back(std::make_unique<Memory>(bytes.size()));
    std::memcpy(memory.back()->mapped, bytes.data(), bytes.size());
  }
  objects_->bind(memory);
  const VkResult result = objects_->launch(push, groups);
  if (result != VK_SUCCESS) return backend_error("Vulkan's queue failed: {}", int{result});
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    std::memcpy(buffers[k].data(), memory[k]->mapped, buffers[k].size());
  }
  return {};
}

VulkanShader::Definitions lavapipe_quirks(bool float64) {
  VulkanShader::Definitions out{{"VYRE_OWN_FMA", ""}, {"VYRE_OWN_FUNCTIONS", ""}};
  if (float64) out.emplace_back("VYRE_FLOAT64", "");
  return out;
}

}  // namespace vyre::testing
