// Whole files in and out. Paths in messages are quoted; every failure is an error of kind io,
// except a file above the caller's limit, which is bad_inputs.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "vyre/error.h"

namespace vyre {

// The message of errno.
std::string last_error();

// Reads at most `max_bytes`; a longer file is an error that names the limit. Reads pipes and
// special files too, so it never trusts the size the file system reports.
Expected<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes);

// Replaces `path` in one step: readers see the old bytes or the new ones, never a part. The new
// bytes are on disk when it returns without error; after a failure the old file is as it was and
// no temporary file is left. The folder must exist. `mode`: permissions of the new file, before the
// process's mask. The temporary file is PATH.PID.NUMBER.tmp: what a killed writer leaves behind.
Expected<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                                     unsigned mode = 0666);

// Whether that could be done now, without doing it: for a command to ask before long work. The
// message says what to do.
Expected<void> check_writable(const std::filesystem::path& path);

}  // namespace vyre
