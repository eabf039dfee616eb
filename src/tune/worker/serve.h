// The worker's side: all that `vyre-worker` does.

#pragma once

#include <filesystem>
#include <functional>

namespace vyre::worker {

// Answers requests on kSocketFd about the job in kJobFd until the other end closes. Then, or when
// the other end is gone in the middle of a request, the process ends at once: a kernel that hangs
// cannot be waited for. Returns, with the exit code, only if it was not started by `vyre`.
// `make_scratch` gives the folder for the compiler's temporary files (scratch.h), empty if there is
// none; it is called before the device is opened and before there are threads.
int serve(const std::function<std::filesystem::path()>& make_scratch);

}  // namespace vyre::worker
