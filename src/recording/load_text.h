// A file's text, unpacked if it is gzipped.

#pragma once

#include <filesystem>
#include <string>

#include "vyre/recording.h"

namespace vyre::recording {

Expected<std::string> load_text(const std::filesystem::path& path, const FileLimits& limits);

}  // namespace vyre::recording
