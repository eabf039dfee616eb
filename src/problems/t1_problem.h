// A Problem from a T1 file and the text of its kernel.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "vyre/problem.h"
#include "vyre/recording.h"

namespace vyre {

// `folder`: T1 names its files relative to this. Messages do not name the T1 file.
Expected<Problem> problem_of_t1(const recording::T1File& t1, std::string_view kernel_text,
                                const std::filesystem::path& folder, const ProblemSizes& sizes);

// T1's "OpenCL" and "CUDA", and Kernel Tuner's "HIP". Fails on every other language.
Expected<ir::Language> language_of(const recording::KernelSpecification& kernel);

}  // namespace vyre
