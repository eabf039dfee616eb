// Whose failure it was: the configuration's, or perhaps the machine's.
//
// A wrong output and a compiler's error with a message are the configuration's own: they would be
// the same on any day. A crash, a time limit, a device that is lost and a compiler that could not
// write its files may be the machine's: the disk is full, memory is short, or somebody kills
// processes. Such a failure counts only if it happens again in a fresh worker and a small new
// kernel and the default still run there.

#pragma once

#include <string_view>

#include "vyre/tune.h"

namespace vyre::worker {

// How often such a failure must happen.
inline constexpr std::uint32_t kFailuresToBlame = 2;

// `why`: what is known of the failure, for people.
bool is_own_failure(Status status, std::string_view why);

}  // namespace vyre::worker
