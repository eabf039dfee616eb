#include "backend/vulkan/vulkan_error.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace vyre::backend::vulkan {
namespace {

struct KnownCode {
  VkResult code;
  std::string_view name;
  std::string_view remedy = "";
};

constexpr std::string_view kInstallDriver =
    "install a Vulkan driver for the device, or install it again";

constexpr std::array kKnownCodes{
    KnownCode{VK_NOT_READY, "VK_NOT_READY"},
    KnownCode{VK_TIMEOUT, "VK_TIMEOUT"},
    KnownCode{VK_INCOMPLETE, "VK_INCOMPLETE"},
    KnownCode{VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY",
              "use smaller buffers, or free some"},
    KnownCode{VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY",
              "use smaller buffers, or free some"},
    KnownCode{VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED", kInstallDriver},
    KnownCode{VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST",
              "a kernel failed or ran too long, and the device is lost to this process: start it "
              "again"},
    KnownCode{VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED",
              "use smaller buffers, or free some"},
    KnownCode{VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT",
              "install Vulkan's validation layers"},
    KnownCode{VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT", kInstallDriver},
    KnownCode{VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT", kInstallDriver},
    KnownCode{VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER", kInstallDriver},
    KnownCode{VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS",
              "use fewer buffers at a time"},
    KnownCode{VK_ERROR_FRAGMENTED_POOL, "VK_ERROR_FRAGMENTED_POOL"},
    KnownCode{VK_ERROR_UNKNOWN, "VK_ERROR_UNKNOWN", kInstallDriver},
    KnownCode{VK_ERROR_OUT_OF_POOL_MEMORY, "VK_ERROR_OUT_OF_POOL_MEMORY"},
    KnownCode{VK_ERROR_INVALID_EXTERNAL_HANDLE, "VK_ERROR_INVALID_EXTERNAL_HANDLE"},
};

const KnownCode* find_code(VkResult code) {
  const KnownCode* it = std::ranges::find(kKnownCodes, code, &KnownCode::code);
  return it == kKnownCodes.end() ? nullptr : it;
}

}  // namespace

std::string name_of_code(VkResult code) {
  const KnownCode* known = find_code(code);
  return fmt::format("{} ({})", known == nullptr ? "Vulkan error" : known->name,
                     static_cast<int>(code));
}

std::unexpected<Error> vulkan_error(VkResult code, std::string_view what) {
  const KnownCode* known = find_code(code);
  const bool has_remedy = known != nullptr && !known->remedy.empty();
  return backend_error("{}: {}{}{}", what, name_of_code(code), has_remedy ? "; " : "",
                       has_remedy ? known->remedy : "");
}

}  // namespace vyre::backend::vulkan
