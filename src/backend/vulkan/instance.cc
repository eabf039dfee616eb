#include "backend/vulkan/instance.h"

#include <algorithm>
#include <mutex>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace vyre::backend::vulkan {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr std::size_t kMostMessages = 100;

struct Messages {
  std::mutex mutex;
  std::vector<std::string> texts;
};
Messages& messages() {
  static auto& instance = *new Messages;  // layers may speak while the process ends
  return instance;
}

VkBool32 keep_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                      const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  const std::lock_guard lock(messages().mutex);
  if (messages().texts.size() < kMostMessages) messages().texts.push_back(escaped(data->pMessage));
  return VK_FALSE;
}

bool has_validation(const GlobalFunctions& call) {
  std::uint32_t count = 0;
  if (call.vkEnumerateInstanceLayerProperties(&count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkLayerProperties> layers(count);
  if (call.vkEnumerateInstanceLayerProperties(&count, layers.data()) < VK_SUCCESS) return false;
  return std::ranges::any_of(layers, [](const VkLayerProperties& layer) {
    return std::string_view(layer.layerName) == kValidationLayer;
  });
}

}  // namespace

VulkanCounters& vulkan_counters() {
  static VulkanCounters instance{};
  return instance;
}

Expected<std::shared_ptr<const Instance>> Instance::make(std::shared_ptr<const Loader> loader,
                                                         bool validate) {
  std::shared_ptr<Instance> out(new Instance(std::move(loader)));
  VYRE_TRY_VOID(out->create(validate));
  VYRE_TRY(out->call_, functions_of(*out->loader_, out->handle_, validate));
  if (validate) VYRE_TRY_VOID(out->listen());
  return out;
}

Expected<std::shared_ptr<const Instance>> Instance::adopt(std::shared_ptr<const Loader> loader,
                                                          VkInstance instance) {
  std::shared_ptr<Instance> out(new Instance(std::move(loader)));
  out->handle_ = instance;
  VYRE_TRY(out->call_, functions_of(*out->loader_, instance, false));
  return out;
}

Expected<void> Instance::create(bool validate) {
  const GlobalFunctions& call = loader_->call;
  std::uint32_t version = VK_API_VERSION_1_0;
  if (const VkResult code = call.vkEnumerateInstanceVersion(&version); code != VK_SUCCESS) {
    return vulkan_error(code, "the Vulkan loader does not start");
  }
  if (version < VK_API_VERSION_1_1) {
    return backend_error("the Vulkan loader knows Vulkan 1.0 only; install one for 1.1 or newer");
  }
  if (validate && !has_validation(call)) {
    return backend_error("there are no validation layers; install Vulkan's, or do without");
  }
  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                      .pNext = nullptr,
                                      .pApplicationName = nullptr,
                                      .applicationVersion = 0,
                                      .pEngineName = "vyre",
                                      .engineVersion = 0,
                                      .apiVersion = VK_MAKE_API_VERSION(0, 1, kNewestMinor, 0)};
  const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                  .pNext = nullptr,
                                  .flags = 0,
                                  .pApplicationInfo = &application,
                                  .enabledLayerCount = validate ? 1U : 0U,
                                  .ppEnabledLayerNames = &kValidationLayer,
                                  .enabledExtensionCount = validate ? 1U : 0U,
                                  .ppEnabledExtensionNames = &extension};
  const VkResult code = call.vkCreateInstance(&info, nullptr, &handle_);
  if (code == VK_ERROR_INCOMPATIBLE_DRIVER) return vulkan_error(code, "there is no Vulkan driver");
  if (code != VK_SUCCESS) return vulkan_error(code, "the Vulkan loader does not start");
  is_owned_ = true;
  ++vulkan_counters().instances;
  return {};
}

Expected<void> Instance::listen() {
  const VkDebugUtilsMessengerCreateInfoEXT info{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .pNext = nullptr,
      .flags = 0,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
      .pfnUserCallback = keep_message,
      .pUserData = nullptr};
  const VkResult code = call_.vkCreateDebugUtilsMessengerEXT(handle_, &info, nullptr, &messenger_);
  if (code == VK_SUCCESS) return {};
  return vulkan_error(code, "the validation layers cannot be listened to");
}

Instance::~Instance() {
  if (!is_owned_) return;
  if (messenger_ != nullptr) {
    call_.vkDestroyDebugUtilsMessengerEXT(handle_, messenger_, nullptr);
  }
  if (call_.vkDestroyInstance != nullptr) call_.vkDestroyInstance(handle_, nullptr);
  --vulkan_counters().instances;
}

Expected<std::vector<VkPhysicalDevice>> Instance::physical_devices() const {
  std::uint32_t count = 0;
  VkResult code = call_.vkEnumeratePhysicalDevices(handle_, &count, nullptr);
  std::vector<VkPhysicalDevice> out(count);
  if (code == VK_SUCCESS && count > 0) {
    code = call_.vkEnumeratePhysicalDevices(handle_, &count, out.data());
  }
  if (code < VK_SUCCESS) return vulkan_error(code, "the Vulkan drivers do not list their devices");
  out.resize(count);
  return out;
}

}  // namespace vyre::backend::vulkan

namespace vyre {

std::vector<std::string> vulkan_messages() {
  auto& kept = backend::vulkan::messages();
  const std::lock_guard lock(kept.mutex);
  return kept.texts;
}

VulkanCounts vulkan_counts() {
  const backend::vulkan::VulkanCounters& c = backend::vulkan::vulkan_counters();
  return {.instances = c.instances,
          .devices = c.devices,
          .buffers = c.buffers,
          .pipelines = c.pipelines,
          .objects = c.objects,
          .compiled = c.compiled,
          .loaded = c.loaded,
          .damaged = c.damaged,
          .unsaved = c.unsaved,
          .submissions = c.submissions};
}

}  // namespace vyre
