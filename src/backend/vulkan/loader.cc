#include "backend/vulkan/loader.h"

#include <dlfcn.h>

#include "base/error.h"
#include "base/text.h"

namespace vyre::backend::vulkan {
namespace {

// Finds a function by its name through one of Vulkan's own look-ups.
template <class Function, class Find>
Expected<void> resolve(const Find& find, const char* name, Function& function) {
  function = reinterpret_cast<Function>(find(name));
  if (function != nullptr) return {};
  return backend_error(
      "Vulkan has no function {}; install a loader and a driver for Vulkan 1.1 or "
      "newer",
      name);
}

}  // namespace

Expected<std::shared_ptr<const Loader>> open_loader(const std::string& library) {
  const std::string name = library.empty() ? "libvulkan.so.1" : library;
  void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = ::dlerror();
    return backend_error("there is no Vulkan loader: {}; install libvulkan.so.1 and a driver",
                         escaped(why == nullptr ? name : why));
  }
  const auto get =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(::dlsym(handle, "vkGetInstanceProcAddr"));
  if (get == nullptr) {
    return backend_error("{} has no function vkGetInstanceProcAddr; install another libvulkan.so.1",
                         escaped(name));
  }
  return loader_with(get);
}

Expected<std::shared_ptr<const Loader>> loader_with(PFN_vkGetInstanceProcAddr get) {
  auto out = std::make_shared<Loader>();
  out->get = get;
  const auto find = [&](const char* name) { return get(nullptr, name); };
#define VYRE_VULKAN_GLOBAL(name) VYRE_TRY_VOID(resolve(find, #name, out->call.name));
#include "backend/vulkan/functions.def"
  return out;
}

Expected<InstanceFunctions> functions_of(const Loader& loader, VkInstance instance,
                                         bool validates) {
  InstanceFunctions out;
  const auto find = [&](const char* name) { return loader.get(instance, name); };
#define VYRE_VULKAN_INSTANCE(name) VYRE_TRY_VOID(resolve(find, #name, out.name));
#define VYRE_VULKAN_MESSAGES(name) \
  if (validates) VYRE_TRY_VOID(resolve(find, #name, out.name));
#include "backend/vulkan/functions.def"
  return out;
}

Expected<DeviceFunctions> functions_of(const InstanceFunctions& call, VkDevice device) {
  DeviceFunctions out;
  const auto find = [&](const char* name) { return call.vkGetDeviceProcAddr(device, name); };
#define VYRE_VULKAN_DEVICE(name) VYRE_TRY_VOID(resolve(find, #name, out.name));
#include "backend/vulkan/functions.def"
  return out;
}

}  // namespace vyre::backend::vulkan
