// The files of kernels/, which are part of the library so that no installed file is needed.

#pragma once

#include <string_view>

namespace vyre::tuner {

// Its text; empty if there is no such file. Written by cmake/embed_kernels.cmake.
std::string_view embedded_kernel(std::string_view file);

}  // namespace vyre::tuner
