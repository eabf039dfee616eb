// A compiled kernel: our own programs as emitted, users' compute shaders as they wrote them.

#pragma once

#include <memory>

#include "backend/vulkan/context.h"

namespace vyre::backend::vulkan {

Expected<std::shared_ptr<Kernel>> compile_kernel(const std::shared_ptr<Context>& context,
                                                 const ir::Sequence& sequence,
                                                 std::uint32_t program,
                                                 const Specialisation& specialisation);

}  // namespace vyre::backend::vulkan
