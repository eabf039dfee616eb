// Whole files in and out. Paths in messages are quoted; every failure is an error of kind io,
// except a file above the caller's limit, which is bad_inputs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"
#include "vyre/error.h"

namespace vyre {

// The message of errno.
std::string last_error();

// Whether the last part of a path may be a symbolic link.
enum class Links : std::uint8_t { follow, refuse };

// Opens a plain file to read it. A pipe, a device and anything else that may make a reader wait is
// an error, and is not opened: all readers of files go through here.
Expected<FileDescriptor> open_to_read(const std::filesystem::path& path,
                                      Links links = Links::follow);

// Reads at most `max_bytes`; a longer file is an error that names the limit. Files of the kernel's
// say that they are empty and are not, so the size that the file system reports is only a hint.
Expected<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes,
                                Links links = Links::follow);

// The same for a name that a person typed: if there is no such file, the message names one beside
// it that has a similar name.
Expected<std::string> read_named_file(const std::filesystem::path& path, std::size_t max_bytes);

// Writes all of the bytes. False: errno says why not all were written.
bool write_all(int fd, std::string_view bytes);

// The mode of a file that only its owner reads and writes.
inline constexpr unsigned kOwnersFile = 0600;

// Replaces `path` in one step: readers see the old bytes or the new ones, never a part. The new
// bytes are on disk when it returns without error; after a failure the old file is as it was and
// no temporary file is left. The folder must exist. `mode`: permissions of the new file, before the
// process's mask, which does not count for kOwnersFile. The temporary file is PATH.PID.NUMBER.tmp:
// what a killed writer leaves behind.
Expected<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                                     unsigned mode = 0666);

// Whether that could be done now, without doing it: for a command to ask before long work. The
// message says what to do.
Expected<void> check_writable(const std::filesystem::path& path);

}  // namespace vyre
