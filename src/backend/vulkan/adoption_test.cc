// Instances, devices, queues and buffers of an application.

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "backend/vulkan/describe.h"
#include "backend/vulkan/loader.h"
#include "testing/scale_shader.h"
#include "testing/scripted_device.h"
#include "vyre/call.h"
#include "vyre/vulkan.h"

namespace vyre::backend::vulkan {
namespace {

using testing::kShaded;
using testing::scale_shader;

// The Vulkan objects of an application that uses Vulkan itself.
struct Application {
  std::shared_ptr<const Loader> loader;
  InstanceFunctions of_instance;
  DeviceFunctions call;
  VkInstance instance = nullptr;
  VkPhysicalDevice physical = nullptr;
  VkDevice device = nullptr;
  VkQueue queue = nullptr;
  struct Array {
    VkBuffer buffer = nullptr;
    VkDeviceMemory memory = nullptr;
    float* values = nullptr;
  };
  Array x, y;

  Application() {
    loader = open_loader().value();
    VkApplicationInfo about{};
    about.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    about.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &about;
    EXPECT_EQ(loader->call.vkCreateInstance(&info, nullptr, &instance), VK_SUCCESS);
    of_instance = functions_of(*loader, instance, false).value();
    std::uint32_t one = 1;
    of_instance.vkEnumeratePhysicalDevices(instance, &one, &physical);
    make_device();
    x = make_array();
    y = make_array();
  }
  ~Application() {
    for (const Array& array : {x, y}) {
      call.vkDestroyBuffer(device, array.buffer, nullptr);
      call.vkFreeMemory(device, array.memory, nullptr);
    }
    call.vkDestroyDevice(device, nullptr);
    of_instance.vkDestroyInstance(instance, nullptr);
  }
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  void make_device() {
    const float priority = 1;
    VkDeviceQueueCreateInfo queues{};
    queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queues.queueCount = 1;
    queues.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queues;
    EXPECT_EQ(of_instance.vkCreateDevice(physical, &info, nullptr, &device), VK_SUCCESS);
    call = functions_of(of_instance, device).value();
    call.vkGetDeviceQueue(device, 0, 0, &queue);
  }

  Array make_array() const {
    constexpr std::size_t kBytes = 5 * sizeof(float);
    Array out;
    VkBufferCreateInfo buffer{};
    buffer.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    buffer.size = kBytes;
    buffer.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                   VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    call.vkCreateBuffer(device, &buffer, nullptr, &out.buffer);
    VkMemoryRequirements needs{};
    call.vkGetBufferMemoryRequirements(device, out.buffer, &needs);
    VkMemoryAllocateInfo memory{};
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    memory.allocationSize = needs.size;
    call.vkAllocateMemory(device, &memory, nullptr, &out.memory);
    call.vkBindBufferMemory(device, out.buffer, out.memory, 0);
    void* mapped = nullptr;
    call.vkMapMemory(device, out.memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    out.values = static_cast<float*>(mapped);
    return out;
  }

  // Waits for all that was submitted to the queue, as an application would.
  void wait_for_queue() const {
    VkFenceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    VkFence fence = nullptr;
    call.vkCreateFence(device, &info, nullptr, &fence);
    call.vkQueueSubmit(queue, 0, nullptr, fence);
    call.vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ULL);
    call.vkDestroyFence(device, fence, nullptr);
  }

  VulkanHandles handles() const { return {instance, physical, device, queue}; }
};

class VulkanAdoptionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string missing = testing::missing_vulkan();
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
};

TEST_F(VulkanAdoptionTest, RunsOnTheApplicationsOwnQueueAndMemory) {
  const Application app;
  std::memcpy(app.x.values, std::vector<float>{1, 2, 3, 4.5, -1}.data(), 5 * sizeof(float));
  const std::int64_t live = vulkan_counts().live();
  {
    const auto device = adopt_vulkan(app.handles());
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ((*device)->info().selector, "") << "no other process can open it";
    const auto in = adopt_vulkan_buffer(**device, app.x.buffer, 5 * sizeof(float));
    const auto out = adopt_vulkan_buffer(**device, app.y.buffer, 5 * sizeof(float));
    ASSERT_TRUE(in && out);
    const auto kernel = (*device)->compile(
        scale_shader(), 0, {.symbols = {0, 0, 0, 64, 0, 0}, .workgroup = {64, 1, 1}});
    ASSERT_TRUE(kernel) << kernel.error().message;
    const std::vector<Buffer*> buffers{in->get(), out->get()};
    const std::vector<std::uint64_t> symbols{5, std::bit_cast<std::uint32_t>(2.5F), 3, 64, 0, 0};
    const auto launched = (*kernel)->launch({.buffers = buffers, .symbols = symbols});
    ASSERT_TRUE(launched) << launched.error().message;
    // No call of vyre's in between: the launch is on the application's queue.
    app.wait_for_queue();
    EXPECT_EQ(std::vector<float>(app.y.values, app.y.values + 5), kShaded);
    // Through vyre, the memory is read by a copy.
    std::vector<float> read(5);
    ASSERT_TRUE((*out)->read(0, std::as_writable_bytes(std::span(read))));
    EXPECT_EQ(read, kShaded);
  }
  EXPECT_EQ(vulkan_counts().live(), live);
}

TEST_F(VulkanAdoptionTest, KernelsThatNeedMoreThanWasEnabledAreRejected) {
  const Application app;
  const auto device = adopt_vulkan(app.handles());
  ASSERT_TRUE(device) << device.error().message;
  std::string text = testing::kScaleShader;
  text.insert(text.find('\n') + 1,
              "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n");
  text.replace(text.find("float(offset)"), 13, "float(uint64_t(offset) * n * n)");
  const auto result = testing::run_shader(*device, scale_shader({.text = text}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::rejected);
  EXPECT_EQ(result.error().message,
            "\"scale\" uses 64-bit integers, which the device does not have; use another device");
}

TEST_F(VulkanAdoptionTest, NullHandlesAreNamed) {
  const Application app;
  VulkanHandles handles = app.handles();
  handles.instance = nullptr;
  EXPECT_EQ(adopt_vulkan(handles).error().message,
            "the instance is null; hand in the one that the device belongs to");
  handles = app.handles();
  handles.queue = nullptr;
  EXPECT_EQ(
      adopt_vulkan(handles).error().message,
      "the physical device, the device or the queue is null; hand in all that belong together");
  const auto device = adopt_vulkan(app.handles());
  ASSERT_TRUE(device);
  EXPECT_EQ(adopt_vulkan_buffer(**device, nullptr, 4).error().message,
            "the VkBuffer is null; hand in one of the device");
  EXPECT_EQ(adopt_vulkan_buffer(**device, app.x.buffer, 0).error().message,
            "a buffer of 0 bytes; give at least one");
  EXPECT_EQ(adopt_vulkan_buffer(*open_null(), app.x.buffer, 4).error().message,
            "null is no Vulkan device; adopt the buffer on one");
}

}  // namespace
}  // namespace vyre::backend::vulkan
