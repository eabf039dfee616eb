// What a failure of each function of Vulkan becomes: a message that says what to do, or nothing
// where the caller cannot use it. The functions are those of the installed driver, which fail where
// a row says so. Every function that can fail has a row, and every function is missing once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "backend/vulkan/devices.h"
#include "testing/failing_vulkan.h"
#include "testing/scale_shader.h"
#include "testing/scripted_device.h"

namespace vyre::backend::vulkan {
namespace {

using testing::new_vulkan_faults;
using testing::VulkanFaults;

// What goes on when the function fails.
enum class During : std::uint8_t { opening, validated_opening, use };

struct Injected {
  std::string_view function;
  VkResult code;
  During during;
  std::string_view message;  // empty: the failure changes nothing
};

constexpr VkResult kNoMemory = VK_ERROR_OUT_OF_HOST_MEMORY;
constexpr VkResult kNoDeviceMemory = VK_ERROR_OUT_OF_DEVICE_MEMORY;

constexpr Injected kInjected[] = {
    {"vkEnumerateInstanceVersion", kNoMemory, During::opening,
     "the Vulkan loader does not start: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or "
     "free some"},
    {"vkEnumerateInstanceLayerProperties", kNoMemory, During::validated_opening,
     "there are no validation layers; install Vulkan's, or do without"},
    {"vkCreateInstance", VK_ERROR_INCOMPATIBLE_DRIVER, During::opening,
     "there is no Vulkan driver: VK_ERROR_INCOMPATIBLE_DRIVER (-9); install a Vulkan driver for "
     "the "
     "device, or install it again"},
    {"vkCreateInstance", VK_ERROR_LAYER_NOT_PRESENT, During::opening,
     "the Vulkan loader does not start: VK_ERROR_LAYER_NOT_PRESENT (-6); install Vulkan's "
     "validation layers"},
    {"vkCreateDebugUtilsMessengerEXT", kNoMemory, During::validated_opening,
     "the validation layers cannot be listened to: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller "
     "buffers, or free some"},
    {"vkEnumeratePhysicalDevices", VK_ERROR_INITIALIZATION_FAILED, During::opening,
     "the Vulkan drivers do not list their devices: VK_ERROR_INITIALIZATION_FAILED (-3); install a "
     "Vulkan driver for the device, or install it again"},
    // The PCI address is not known then.
    {"vkEnumerateDeviceExtensionProperties", kNoMemory, During::opening, ""},
    {"vkCreateDevice", static_cast<VkResult>(-977), During::use,
     "the device cannot be opened: Vulkan error (-977)"},
    {"vkCreateCommandPool", kNoMemory, During::use,
     "no command pool: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free some"},
    {"vkAllocateCommandBuffers", kNoMemory, During::use,
     "no command buffer: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free some"},
    {"vkCreateDescriptorPool", kNoDeviceMemory, During::use,
     "no descriptor pool: VK_ERROR_OUT_OF_DEVICE_MEMORY (-2); use smaller buffers, or free some"},
    {"vkCreateFence", kNoMemory, During::use,
     "no fence: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free some"},
    {"vkBeginCommandBuffer", kNoMemory, During::use,
     "recording commands failed: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free "
     "some"},
    {"vkEndCommandBuffer", kNoMemory, During::use,
     "recording commands failed: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free "
     "some"},
    {"vkQueueSubmit", VK_ERROR_DEVICE_LOST, During::use,
     "the device takes no commands: VK_ERROR_DEVICE_LOST (-4); a kernel failed or ran too long, "
     "and "
     "the device is lost to this process: start it again"},
    {"vkWaitForFences", VK_ERROR_DEVICE_LOST, During::use,
     "waiting for the device failed: VK_ERROR_DEVICE_LOST (-4); a kernel failed or ran too long, "
     "and the device is lost to this process: start it again"},
    {"vkGetFenceStatus", VK_ERROR_UNKNOWN, During::use,
     "a launch failed: VK_ERROR_UNKNOWN (-13); install a Vulkan driver for the device, or install "
     "it again"},
    {"vkResetFences", kNoDeviceMemory, During::use,
     "a fence cannot be used again: VK_ERROR_OUT_OF_DEVICE_MEMORY (-2); use smaller buffers, or "
     "free some"},
    {"vkResetDescriptorPool", VK_ERROR_UNKNOWN, During::use,
     "a descriptor pool cannot be used again: VK_ERROR_UNKNOWN (-13); install a Vulkan driver for "
     "the device, or install it again"},
    {"vkResetCommandPool", kNoDeviceMemory, During::use,
     "a command buffer cannot be used again: VK_ERROR_OUT_OF_DEVICE_MEMORY (-2); use smaller "
     "buffers, or free some"},
    {"vkCreateBuffer", kNoMemory, During::use,
     "a buffer of 256 bytes: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free some"},
    {"vkAllocateMemory", VK_ERROR_TOO_MANY_OBJECTS, During::use,
     "a buffer of 256 bytes: VK_ERROR_TOO_MANY_OBJECTS (-10); use fewer buffers at a time"},
    {"vkBindBufferMemory", kNoMemory, During::use,
     "a buffer of 256 bytes: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free some"},
    {"vkMapMemory", VK_ERROR_MEMORY_MAP_FAILED, During::use,
     "a buffer of 256 bytes: VK_ERROR_MEMORY_MAP_FAILED (-5); use smaller buffers, or free some"},
    {"vkCreateShaderModule", kNoMemory, During::use,
     "compiling \"counting\": VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free some"},
    {"vkCreateDescriptorSetLayout", kNoMemory, During::use,
     "no layout of buffers: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free some"},
    {"vkCreatePipelineLayout", kNoMemory, During::use,
     "no layout of a pipeline: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free "
     "some"},
    {"vkCreatePipelineCache", kNoMemory, During::use,
     "no pipeline cache: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free some"},
    {"vkCreateComputePipelines", kNoMemory, During::use,
     "compiling \"counting\": VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free some"},
    // The store keeps the module without the driver's part then.
    {"vkGetPipelineCacheData", kNoMemory, During::use, ""},
    {"vkAllocateDescriptorSets", VK_ERROR_OUT_OF_POOL_MEMORY, During::use,
     "no descriptor set: VK_ERROR_OUT_OF_POOL_MEMORY (-1000069000)"},
    {"vkCreateQueryPool", kNoMemory, During::use,
     "no timestamps can be made: VK_ERROR_OUT_OF_HOST_MEMORY (-1); use smaller buffers, or free "
     "some"},
    {"vkGetQueryPoolResults", VK_ERROR_UNKNOWN, During::use,
     "the device's clock cannot be read: VK_ERROR_UNKNOWN (-13); install a Vulkan driver for the "
     "device, or install it again"},
};

Expected<std::shared_ptr<Device>> open_failing(bool validate) {
  VYRE_TRY(const auto loader, testing::failing_loader());
  VYRE_TRY(const auto instance, Instance::make(loader, validate));
  VYRE_TRY(const auto devices, open_all(instance, {}, true));
  return devices.front();
}

void arm(VulkanFaults& faults, const Injected& row) {
  faults.calls.clear();
  faults.fails = row.function;
  faults.code = row.code;
}

std::string message_of_failure(VulkanFaults& faults, const Injected& row) {
  if (row.during != During::use) arm(faults, row);
  const auto device = open_failing(row.during == During::validated_opening);
  if (!device) return device.error().message;
  if (row.during == During::use) arm(faults, row);
  return testing::message_of(testing::use_everything(**device));
}

class VulkanFailuresTest : public ::testing::Test {
 protected:
  // The device is used once before anything fails: probes of the driver are run once in a process.
  void SetUp() override {
    const std::string missing = testing::missing_vulkan();
    if (!missing.empty()) GTEST_SKIP() << missing;
    new_vulkan_faults();
    const auto device = open_failing(false);
    ASSERT_TRUE(device) << device.error().message;
    const auto used = testing::use_everything(**device);
    ASSERT_TRUE(used) << used.error().message;
  }
};

TEST_F(VulkanFailuresTest, OfEveryFunctionAreToldOrChangeNothing) {
  const std::int64_t live = vulkan_counts().live();
  for (const Injected& row : kInjected) {
    VulkanFaults& faults = new_vulkan_faults();
    EXPECT_EQ(message_of_failure(faults, row), row.message) << row.function;
    EXPECT_GE(faults.calls[std::string(row.function)], 1U) << row.function << " is not called";
    EXPECT_EQ(vulkan_counts().live(), live) << row.function;
  }
}

TEST_F(VulkanFailuresTest, HaveARowForEveryFunctionThatCanFail) {
  std::set<std::string_view> rows;
  for (const Injected& row : kInjected) rows.insert(row.function);
  std::set<std::string_view> functions;
  const auto add = [&]<class Result, class... Parameters>(std::string_view name,
                                                          Result (*)(Parameters...)) {
    if (std::is_same_v<Result, VkResult>) functions.insert(name);
  };
#define VYRE_VULKAN_GLOBAL(name) add(#name, PFN_##name{});
#define VYRE_VULKAN_INSTANCE(name) add(#name, PFN_##name{});
#define VYRE_VULKAN_MESSAGES(name) add(#name, PFN_##name{});
#define VYRE_VULKAN_DEVICE(name) add(#name, PFN_##name{});
#include "backend/vulkan/functions.def"
  EXPECT_EQ(rows, functions);
}

TEST_F(VulkanFailuresTest, AFunctionThatIsMissingIsNamed) {
  const std::int64_t live = vulkan_counts().live();
  std::vector<std::string> functions;
#define VYRE_VULKAN_GLOBAL(name) functions.emplace_back(#name);
#define VYRE_VULKAN_INSTANCE(name) functions.emplace_back(#name);
#define VYRE_VULKAN_MESSAGES(name) functions.emplace_back(#name);
#define VYRE_VULKAN_DEVICE(name) functions.emplace_back(#name);
#include "backend/vulkan/functions.def"
  for (const std::string& function : functions) {
    new_vulkan_faults().missing = function;
    const auto device = open_failing(function.ends_with("EXT"));
    const auto used = device ? testing::use_everything(**device)
                             : Expected<void>(std::unexpected(device.error()));
    EXPECT_EQ(testing::message_of(used), "Vulkan has no function " + function +
                                             "; install a loader and a driver for Vulkan 1.1 or "
                                             "newer");
  }
  new_vulkan_faults();
  EXPECT_EQ(vulkan_counts().live(), live);
}

TEST_F(VulkanFailuresTest, ALostDeviceStaysLost) {
  const std::int64_t live = vulkan_counts().live();
  {
    VulkanFaults& faults = new_vulkan_faults();
    const auto device = open_failing(false);
    ASSERT_TRUE(device && testing::use_everything(**device));
    arm(faults, {"vkWaitForFences", VK_ERROR_DEVICE_LOST, During::use, ""});
    EXPECT_NE(testing::message_of(testing::use_everything(**device)), "");
    const std::string lost =
        "the device is lost to this process since VK_ERROR_DEVICE_LOST (-4); start the process "
        "again";
    faults.calls.clear();
    EXPECT_EQ(testing::message_of(testing::use_everything(**device)), lost);
    EXPECT_EQ(testing::message_of((*device)->finish()), lost);
    EXPECT_EQ((*device)->allocate(4).error().message, lost);
    EXPECT_TRUE(faults.calls.empty()) << "the driver is left alone";
  }
  EXPECT_EQ(vulkan_counts().live(), live);
}

TEST_F(VulkanFailuresTest, ACardIsDescribedAsOne) {
  VulkanFaults& faults = new_vulkan_faults();
  faults.on_properties = [](VkPhysicalDeviceProperties2& all) {
    all.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    all.properties.limits.timestampPeriod = 38.4F;
    for (auto* at = static_cast<VkBaseOutStructure*>(all.pNext); at != nullptr; at = at->pNext) {
      if (at->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES) continue;
      auto* ids = reinterpret_cast<VkPhysicalDeviceIDProperties*>(at);
      for (std::uint8_t k = 0; k < 16; ++k) ids->deviceUUID[k] = static_cast<std::uint8_t>(k * 17);
    }
  };
  const auto device = open_failing(false);
  ASSERT_TRUE(device) << device.error().message;
  const DeviceInfo& info = (*device)->info();
  EXPECT_EQ(info.kind, DeviceKind::gpu);
  EXPECT_FALSE(info.shares_host_cores);
  EXPECT_EQ(info.hardware.uuid, "00112233445566778899aabbccddeeff");
  EXPECT_EQ(info.clock_step_ns, 39U);
  EXPECT_EQ(info.limits.compute_units, 0U) << "Vulkan does not say";
  EXPECT_EQ(info.untried, "this backend was tested on Mesa's lavapipe only, never on a card");
  EXPECT_TRUE(testing::use_everything(**device)) << "through staging";
  new_vulkan_faults();
}

TEST_F(VulkanFailuresTest, AQueueWithoutAClockIsTimedByTheHosts) {
  VulkanFaults& faults = new_vulkan_faults();
  faults.on_family = [](VkQueueFamilyProperties& family) { family.timestampValidBits = 0; };
  {
    const auto device = open_failing(false);
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ((*device)->info().clock_step_ns, 0U);
    const auto buffer = (*device)->allocate(1 << 20U);
    const auto timer = (*device)->make_timer();
    ASSERT_TRUE(buffer && timer && (*buffer)->fill_zero(1 << 20U, timer->get()));
    EXPECT_GT((*timer)->elapsed_ns().value_or(0), 0U);
  }
  new_vulkan_faults();
}

TEST_F(VulkanFailuresTest, DevicesThatDoNotDoAreNamed) {
  VulkanFaults& faults = new_vulkan_faults();
  faults.on_family = [](VkQueueFamilyProperties& family) { family.queueFlags = 0; };
  EXPECT_THAT(open_failing(false).error().message,
              ::testing::HasSubstr("has no queue that computes; install a driver for one"));
  new_vulkan_faults().on_properties = [](VkPhysicalDeviceProperties2& all) {
    all.properties.apiVersion = VK_API_VERSION_1_0;
  };
  EXPECT_THAT(open_failing(false).error().message,
              ::testing::HasSubstr("has Vulkan 1.0 only; install a driver for 1.1 or newer"));
  new_vulkan_faults().on_memory = [](VkPhysicalDeviceMemoryProperties& memory) {
    for (auto& type : memory.memoryTypes) type.propertyFlags = 0;
  };
  const auto device = open_failing(false);
  ASSERT_TRUE(device);
  EXPECT_EQ((*device)->allocate(4).error().message,
            "a buffer of 256 bytes: the device has no memory for it; use another device");
  new_vulkan_faults();
}

TEST(vulkan_loader, NoLibraryIsNamed) {
  const auto devices = open_vulkan({}, {.loader = "libno_vulkan.so.7"});
  ASSERT_FALSE(devices);
  EXPECT_EQ(devices.error().kind, ErrorKind::backend);
  EXPECT_EQ(devices.error().message,
            "there is no Vulkan loader: libno_vulkan.so.7: cannot open shared object file: No such "
            "file or directory; install libvulkan.so.1 and a driver");
  const auto other = open_vulkan({}, {.loader = "libm.so.6"});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message,
            "libm.so.6 has no function vkGetInstanceProcAddr; install another libvulkan.so.1");
}

}  // namespace
}  // namespace vyre::backend::vulkan
