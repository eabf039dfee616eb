// Problems whose kernel is source text, compiled as a backend would compile them, without a device.

#pragma once

#include <cstdint>
#include <string_view>

#include "backend/common/kernel_plan.h"
#include "vyre/problem.h"

namespace vyre::testing {

// The plan of the problem's only kernel, for a device that runs sources in that language.
Expected<backend::KernelPlan> planned_kernel(const Problem& problem, const Config& config,
                                             ir::Language language);

// Compiles `count` configurations that are spread over the space, the default first: with NVRTC for
// "sm_80", with hipRTC for "gfx90a". rejected: the first that does not compile.
Expected<void> compile_configurations(const Problem& problem, std::uint32_t count,
                                      std::string_view architecture);

}  // namespace vyre::testing
