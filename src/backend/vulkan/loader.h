// Vulkan's loader as tables of functions, found at run time: no Vulkan is needed to start.
//
// Every function is found through vkGetInstanceProcAddr. An application, or a test, may hand in its
// own.

#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <memory>
#include <string>

#include "vyre/error.h"

namespace vyre::backend::vulkan {

struct GlobalFunctions {
#define VYRE_VULKAN_GLOBAL(name) PFN_##name name = nullptr;
#include "backend/vulkan/functions.def"
};

// Those of messages are null where the instance does not validate.
struct InstanceFunctions {
#define VYRE_VULKAN_INSTANCE(name) PFN_##name name = nullptr;
#define VYRE_VULKAN_MESSAGES(name) PFN_##name name = nullptr;
#include "backend/vulkan/functions.def"
};

struct DeviceFunctions {
#define VYRE_VULKAN_DEVICE(name) PFN_##name name = nullptr;
#include "backend/vulkan/functions.def"
};

struct Loader {
  PFN_vkGetInstanceProcAddr get = nullptr;
  GlobalFunctions call{};
};

// Opens the loader's library, libvulkan.so.1 if `library` is empty. The library stays open until
// the process ends. Errors are `backend`: no such library, or it lacks a function, which the
// message names.
Expected<std::shared_ptr<const Loader>> open_loader(const std::string& library = "");
Expected<std::shared_ptr<const Loader>> loader_with(PFN_vkGetInstanceProcAddr get);

Expected<InstanceFunctions> functions_of(const Loader& loader, VkInstance instance, bool validates);
Expected<DeviceFunctions> functions_of(const InstanceFunctions& call, VkDevice device);

}  // namespace vyre::backend::vulkan
