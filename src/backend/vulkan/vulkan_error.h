// What Vulkan's codes mean, and what to do about them.

#pragma once

#include <string>
#include <string_view>

#include "backend/vulkan/loader.h"

namespace vyre::backend::vulkan {

// "VK_ERROR_DEVICE_LOST (-4)".
std::string name_of_code(VkResult code);

// An error that says what failed, names the code, and says what to do where we know it.
std::unexpected<Error> vulkan_error(VkResult code, std::string_view what);

}  // namespace vyre::backend::vulkan
