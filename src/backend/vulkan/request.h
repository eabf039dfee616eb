// The request for a pipeline that a program and its specialisation lead to.

#pragma once

#include "backend/common/kernel_plan.h"
#include "backend/vulkan/shader_layout.h"
#include "emit/glsl/glsl.h"

namespace vyre::backend::vulkan {

inline constexpr KernelLanguage kGlsl{emit::glsl, "", ir::Language::glsl};

// `quirks`: definitions for the text of our own kernels. rejected: an argument or a compiler's
// option that a shader has no place for.
Expected<PipelineRequest> request_for(
    const ir::Program& program, const Specialisation& specialisation, const KernelPlan& plan,
    const std::vector<std::pair<std::string, std::string>>& quirks);

}  // namespace vyre::backend::vulkan
