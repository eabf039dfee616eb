// Instance: Vulkan's own, with its functions; and the counters of all that the backend makes.

#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "backend/vulkan/vulkan_error.h"
#include "vyre/vulkan.h"

namespace vyre::backend::vulkan {

// All counters of VulkanCounts.
struct VulkanCounters {
  std::atomic<std::int64_t> instances, devices, buffers, pipelines, objects;
  std::atomic<std::uint64_t> compiled, loaded, damaged, unsaved, submissions;
};
VulkanCounters& vulkan_counters();

class Instance {
 public:
  // backend: the loader finds no driver, or it is older than Vulkan 1.1.
  static Expected<std::shared_ptr<const Instance>> make(std::shared_ptr<const Loader> loader,
                                                        bool validate);
  // The application's, which it keeps alive.
  static Expected<std::shared_ptr<const Instance>> adopt(std::shared_ptr<const Loader> loader,
                                                         VkInstance instance);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  const InstanceFunctions& call() const { return call_; }
  // backend: the drivers do not say.
  Expected<std::vector<VkPhysicalDevice>> physical_devices() const;

 private:
  explicit Instance(std::shared_ptr<const Loader> loader) : loader_(std::move(loader)) {}
  Expected<void> create(bool validate);
  Expected<void> listen();

  std::shared_ptr<const Loader> loader_;
  VkInstance handle_ = nullptr;
  bool is_owned_ = false;
  VkDebugUtilsMessengerEXT messenger_ = nullptr;
  InstanceFunctions call_{};
};

// Vulkan 1.3 is the newest whose rules the backend knows.
inline constexpr std::uint32_t kNewestMinor = 3;

}  // namespace vyre::backend::vulkan
