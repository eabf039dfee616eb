// Compiling a kernel within its time limit, or taking it from the binary store.

#pragma once

#include "backend/vulkan/pipeline.h"

namespace vyre::backend::vulkan {

// rejected: the compiler refused the text, or shader, program and device do not agree. backend:
// building took too long, or the driver failed.
Expected<std::shared_ptr<const Pipeline>> build_pipeline(const std::shared_ptr<Context>& context,
                                                         const PipelineRequest& request);

// A compiled shader as the bytes that the binary store keeps; none: the bytes are not one.
std::string packed(const CompiledShader& shader);
std::optional<CompiledShader> unpacked(std::string_view bytes);

}  // namespace vyre::backend::vulkan
