// The files of kernels/, which are part of the library.

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/embedded_file.h"
#include "vyre/problem.h"

namespace vyre::problems {

std::span<const EmbeddedFile> embedded_kernels();

// Its text; empty if there is no such file.
std::string_view embedded_kernel(std::string_view file);

// The problem of kernels/NAME.json and the kernel that it names.
Expected<Problem> make_embedded(std::string_view name, const ProblemSizes& sizes);

// The problem of kernels/cuda/NAME_cuda.json, in CUDA C++ or HIP C++: its text is both. Nothing if
// there is no such file.
std::optional<Expected<Problem>> make_cuda_twin(std::string_view name, const ProblemSizes& sizes,
                                                ir::Language language);

}  // namespace vyre::problems
