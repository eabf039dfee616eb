// Files of decisions as a whole, for the command line: read one, change one under its lock.

#pragma once

#include <filesystem>
#include <functional>

#include "decisions/file_content.h"

namespace vyre {

Expected<FileContent> read_content(const std::filesystem::path& file);

// `change` says whether there is anything to write. Nothing is written after an error.
Expected<void> edit_content(const std::filesystem::path& file,
                            const std::function<bool(FileContent&)>& change);

}  // namespace vyre
