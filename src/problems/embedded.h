// The files of kernels/, which are part of the library.

#pragma once

#include "base/embedded_file.h"

namespace vyre::problems {

std::span<const EmbeddedFile> embedded_kernels();

// Its text; empty if there is no such file.
std::string_view embedded_kernel(std::string_view file);

}  // namespace vyre::problems
