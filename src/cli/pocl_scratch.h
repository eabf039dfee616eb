// A folder of a worker's own for the temporary files of PoCL's compiler.
//
// PoCL keeps compiled kernels and temporary files in one folder, and temporary files have random
// names. A compiler that is killed leaves them there, and nobody can tell whose they are. So each
// worker shows PoCL a folder of its own inside that folder (vyre-worker-0, vyre-worker-1...).
// Temporary files stay in it. Compiled kernels go where they always go, because PoCL's subfolders
// for them are links there. The campaign removes the temporary files when the worker has ended; if
// the campaign was killed too, the next worker does. A worker has its folder by a lock. The folders
// stay, because their links take longer to make than a worker takes to start.

#pragma once

#include <filesystem>

namespace vyre::cli {

// Takes or makes the folder and tells PoCL by POCL_CACHE_DIR, so before it is loaded and before
// there are threads. Empty: PoCL has no folder so far, or none can be made in it; then nothing has
// changed.
std::filesystem::path make_pocl_scratch();

}  // namespace vyre::cli
