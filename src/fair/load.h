// A file's text, unpacked if it is gzipped.

#pragma once

#include <filesystem>
#include <string>

#include "vyre/fair.h"

namespace vyre::fair {

Expected<std::string> load_text(const std::filesystem::path& path, const Limits& limits);

}  // namespace vyre::fair
