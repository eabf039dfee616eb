#include "testing/failing_vulkan.h"

#include <optional>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace vyre::testing {
namespace {

using backend::vulkan::Loader;

VulkanFaults& faults = *new VulkanFaults;  // drivers may call while the process ends
std::mutex faults_mutex;
PFN_vkGetInstanceProcAddr installed_get = nullptr;
PFN_vkGetDeviceProcAddr installed_get_of_device = nullptr;

// Counts a call and says whether it is to fail.
std::optional<VkResult> noted(const char* name) {
  const std::lock_guard lock(faults_mutex);
  ++faults.calls[name];
  if (faults.fails != name) return std::nullopt;
  faults.fails.clear();
  return faults.code;
}

// One type per function, with the installed one that it stands before.
#define VYRE_VULKAN_GLOBAL(name)                  \
  struct Call_##name {                            \
    static constexpr const char* kName = #name;   \
    static inline PFN_##name installed = nullptr; \
  };
#define VYRE_VULKAN_INSTANCE(name) VYRE_VULKAN_CALL(name)
#define VYRE_VULKAN_MESSAGES(name) VYRE_VULKAN_CALL(name)
#define VYRE_VULKAN_DEVICE(name) VYRE_VULKAN_CALL(name)
#define VYRE_VULKAN_CALL(name)                    \
  struct Call_##name {                            \
    static constexpr const char* kName = #name;   \
    static inline PFN_##name installed = nullptr; \
  };
#include "backend/vulkan/functions.def"
#undef VYRE_VULKAN_CALL

// Behind the installed function: what a test changes of its answer.
template <class Call, class... Parameters>
void change(Call, Parameters...) {}

void change(Call_vkGetPhysicalDeviceProperties2, VkPhysicalDevice,
            VkPhysicalDeviceProperties2* out) {
  if (faults.on_properties) faults.on_properties(*out);
}
void change(Call_vkGetPhysicalDeviceQueueFamilyProperties, VkPhysicalDevice, std::uint32_t* count,
            VkQueueFamilyProperties* out) {
  if (!faults.on_family || out == nullptr) return;
  for (std::uint32_t k = 0; k < *count; ++k) faults.on_family(out[k]);
}
void change(Call_vkGetPhysicalDeviceMemoryProperties, VkPhysicalDevice,
            VkPhysicalDeviceMemoryProperties* out) {
  if (faults.on_memory) faults.on_memory(*out);
}

template <class Call, class Result, class... Parameters>
Result performed(Parameters... parameters) {
  const std::optional<VkResult> failure = noted(Call::kName);
  if constexpr (std::is_same_v<Result, VkResult>) {
    // A driver that says that its device is lost has stopped it, so this one finishes its work.
    if (failure && std::is_same_v<Call, Call_vkWaitForFences>) Call::installed(parameters...);
    if (failure) return *failure;
  }
  if constexpr (std::is_void_v<Result>) {
    Call::installed(parameters...);
    change(Call{}, parameters...);
  } else {
    return Call::installed(parameters...);
  }
}

template <class Call, class Result, class... Parameters>
PFN_vkVoidFunction stand_before(Result (*installed)(Parameters...)) {
  Call::installed = installed;
  return reinterpret_cast<PFN_vkVoidFunction>(performed<Call, Result, Parameters...>);
}

PFN_vkVoidFunction get_of_device(VkDevice device, const char* name);

PFN_vkVoidFunction wrapped(PFN_vkVoidFunction found, const std::string& name) {
  if (found == nullptr || name == faults.missing) return nullptr;
  if (name == "vkGetDeviceProcAddr") {
    installed_get_of_device = reinterpret_cast<PFN_vkGetDeviceProcAddr>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(get_of_device);
  }
#define VYRE_VULKAN_GLOBAL(function) VYRE_VULKAN_CALL(function)
#define VYRE_VULKAN_INSTANCE(function) VYRE_VULKAN_CALL(function)
#define VYRE_VULKAN_MESSAGES(function) VYRE_VULKAN_CALL(function)
#define VYRE_VULKAN_DEVICE(function) VYRE_VULKAN_CALL(function)
#define VYRE_VULKAN_CALL(function)                                                 \
  if (name == #function) {                                                         \
    return stand_before<Call_##function>(reinterpret_cast<PFN_##function>(found)); \
  }
#include "backend/vulkan/functions.def"
#undef VYRE_VULKAN_CALL
  return found;
}

PFN_vkVoidFunction get_of_device(VkDevice device, const char* name) {
  noted("vkGetDeviceProcAddr");
  return wrapped(installed_get_of_device(device, name), name);
}

PFN_vkVoidFunction get(VkInstance instance, const char* name) {
  return wrapped(installed_get(instance, name), name);
}

}  // namespace

VulkanFaults& new_vulkan_faults() {
  const std::lock_guard lock(faults_mutex);
  faults = {};
  return faults;
}

Expected<std::shared_ptr<const Loader>> failing_loader() {
  VYRE_TRY(const auto installed, backend::vulkan::open_loader());
  installed_get = installed->get;
  return backend::vulkan::loader_with(get);
}

}  // namespace vyre::testing
