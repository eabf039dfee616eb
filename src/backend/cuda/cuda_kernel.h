// A compiled kernel: our own programs as emitted, users' kernels as they wrote them.

#pragma once

#include <memory>

#include "backend/cuda/context.h"

namespace vyre::backend::cuda {

Expected<std::shared_ptr<Kernel>> compile_kernel(const std::shared_ptr<Context>& context,
                                                 const ir::Sequence& sequence,
                                                 std::uint32_t program,
                                                 const Specialisation& specialisation);

}  // namespace vyre::backend::cuda
