// A loader of Vulkan over the installed one, whose functions fail or are missing where a test says
// so, and which counts calls.
//
// The tables hold plain functions, so there is one script for the process, and one test uses it at
// a time.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "backend/vulkan/loader.h"

namespace vyre::testing {

struct VulkanFaults {
  std::string missing{};  // this function is not found
  std::string fails{};    // the next call of this function fails, the calls behind it do not
  VkResult code = VK_SUCCESS;
  std::map<std::string, std::size_t> calls{};
  // Change what the driver says of its device; empty: nothing.
  std::function<void(VkPhysicalDeviceProperties2&)> on_properties{};
  std::function<void(VkQueueFamilyProperties&)> on_family{};
  std::function<void(VkPhysicalDeviceMemoryProperties&)> on_memory{};
};

// Starts a new script.
VulkanFaults& new_vulkan_faults();

// The installed loader behind the script. backend: there is none, or a function is missing.
Expected<std::shared_ptr<const backend::vulkan::Loader>> failing_loader();

}  // namespace vyre::testing
