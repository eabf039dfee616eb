// The worker's side: all that `vyre-worker` does.

#pragma once

namespace vyre::worker {

// Answers requests on kSocketFd about the job in kJobFd until the other end closes. Then, or when
// the other end is gone in the middle of a request, the process ends at once: a kernel that hangs
// cannot be waited for. Returns, with the exit code, only if it was not started by `vyre`.
int serve();

}  // namespace vyre::worker
