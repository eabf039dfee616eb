// The recordings of recordings/, which are part of the command: whole spaces of bundled kernels.

#pragma once

#include "base/embedded_file.h"

namespace vyre::cli {

// T4, gzipped; by name.
std::span<const EmbeddedFile> embedded_recordings();

}  // namespace vyre::cli
