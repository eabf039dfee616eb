// What a device does differently from what the language promises, found by running it.

#pragma once

#include <memory>

#include "backend/vulkan/context.h"

namespace vyre::backend::vulkan {

// Definitions for the text of our own kernels (emit/glsl): what to compute in another way on this
// device. Runs a kernel, once in a process for each driver.
Expected<Context::Definitions> probe_quirks(const std::shared_ptr<Context>& context);

}  // namespace vyre::backend::vulkan
