// Reading and changing a whole file of decisions, for the command line.

#pragma once

#include <filesystem>
#include <functional>

#include "decisions/file_content.h"

namespace vyre {

Expected<FileContent> read_content(const std::filesystem::path& file);

// Reads the file under its lock, and writes it back if `change` returns true. After an error
// nothing has been written.
Expected<void> edit_content(const std::filesystem::path& file,
                            const std::function<bool(FileContent&)>& change);

}  // namespace vyre
