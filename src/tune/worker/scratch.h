// The folder that a worker has for temporary files of its compiler. The worker locks it and names
// it in its greeting; when the worker has ended, the campaign removes the files. Links in it belong
// to the worker and stay.

#pragma once

#include <filesystem>
#include <string>

#include "base/files/file_descriptor.h"

namespace vyre::worker {

std::string scratch_name(int number);

// The folder is this process's as long as the descriptor is open. Not open: another process has it,
// or it is no such folder.
FileDescriptor lock_scratch(const std::filesystem::path& folder);

// Everything but links. Needs the lock.
void remove_temporary(const std::filesystem::path& folder);

// Removes temporary files if no process has the folder. By its name: whatever a worker says, no
// other folder is touched.
void clean_scratch(const std::filesystem::path& folder);

}  // namespace vyre::worker
