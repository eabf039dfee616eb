// DeviceHandle: a VkDevice with its functions; Owned: an object that was made from one.
//
// An Owned keeps its device alive, so the VkDevice is destroyed behind everything made from it.
// Thread-safe.

#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "backend/vulkan/describe.h"
#include "base/error.h"

namespace vyre::backend::vulkan {

class DeviceHandle {
 public:
  // backend: the driver does not open the device.
  static Expected<std::shared_ptr<DeviceHandle>> make(std::shared_ptr<const Instance> instance,
                                                      const DeviceFacts& facts);
  // The application's, which it keeps alive.
  static Expected<std::shared_ptr<DeviceHandle>> adopt(std::shared_ptr<const Instance> instance,
                                                       VkDevice device);
  DeviceHandle(const DeviceHandle&) = delete;
  DeviceHandle& operator=(const DeviceHandle&) = delete;
  ~DeviceHandle();

  VkDevice get() const { return handle_; }
  const DeviceFunctions& call() const { return call_; }
  const Instance& instance() const { return *instance_; }

  // The error of a code that is none of success. After VK_ERROR_DEVICE_LOST the device is lost.
  Expected<void> check(VkResult code, std::string_view what);
  // backend: it is lost. The driver is left alone then.
  Expected<void> check_alive();
  bool is_lost() const { return is_lost_; }

 private:
  explicit DeviceHandle(std::shared_ptr<const Instance> instance)
      : instance_(std::move(instance)) {}

  std::shared_ptr<const Instance> instance_;
  VkDevice handle_ = nullptr;
  bool is_owned_ = false;
  DeviceFunctions call_{};
  std::atomic<bool> is_lost_ = false;
};

// How objects of a type are destroyed, and where they are counted.
template <class T>
struct Kind;
#define VYRE_VULKAN_KIND(type, destroy_function, counter)                           \
  template <>                                                                       \
  struct Kind<type> {                                                               \
    static void destroy(const DeviceHandle& device, type handle) {                  \
      device.call().destroy_function(device.get(), handle, nullptr);                \
    }                                                                               \
    static std::atomic<std::int64_t>& count() { return vulkan_counters().counter; } \
  }
VYRE_VULKAN_KIND(VkBuffer, vkDestroyBuffer, buffers);
VYRE_VULKAN_KIND(VkDeviceMemory, vkFreeMemory, objects);
VYRE_VULKAN_KIND(VkFence, vkDestroyFence, objects);
VYRE_VULKAN_KIND(VkCommandPool, vkDestroyCommandPool, objects);
VYRE_VULKAN_KIND(VkDescriptorPool, vkDestroyDescriptorPool, objects);
VYRE_VULKAN_KIND(VkDescriptorSetLayout, vkDestroyDescriptorSetLayout, objects);
VYRE_VULKAN_KIND(VkPipelineLayout, vkDestroyPipelineLayout, objects);
VYRE_VULKAN_KIND(VkPipelineCache, vkDestroyPipelineCache, objects);
VYRE_VULKAN_KIND(VkPipeline, vkDestroyPipeline, pipelines);
VYRE_VULKAN_KIND(VkShaderModule, vkDestroyShaderModule, objects);
VYRE_VULKAN_KIND(VkQueryPool, vkDestroyQueryPool, objects);
#undef VYRE_VULKAN_KIND

template <class T>
class Owned {
 public:
  Owned() = default;
  Owned(std::shared_ptr<DeviceHandle> device, T handle)
      : device_(std::move(device)), handle_(handle) {
    ++Kind<T>::count();
  }
  Owned(Owned&& other) noexcept
      : device_(std::move(other.device_)), handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle_ == nullptr) return;
    Kind<T>::destroy(*device_, handle_);
    --Kind<T>::count();
  }

  T get() const { return handle_; }

 private:
  std::shared_ptr<DeviceHandle> device_;
  T handle_ = nullptr;
};

// Makes an object by one of the functions that all look alike. `what` begins the error's message.
template <class Info, class T>
Expected<Owned<T>> make_object(const std::shared_ptr<DeviceHandle>& device,
                               VkResult (*create)(VkDevice, const Info*,
                                                  const VkAllocationCallbacks*, T*),
                               const Info& info, std::string_view what) {
  VYRE_TRY_VOID(device->check_alive());
  T handle = nullptr;
  VYRE_TRY_VOID(device->check(create(device->get(), &info, nullptr, &handle), what));
  return Owned<T>(device, handle);
}

}  // namespace vyre::backend::vulkan
