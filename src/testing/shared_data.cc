#include "testing/shared_data.h"

#include <algorithm>

namespace vyre::testing {

namespace fs = std::filesystem;

std::optional<fs::path> shared_dir(const fs::path& source_dir) {
  std::error_code ignored;
  const fs::path out = source_dir / ".." / "shared";
  return fs::is_directory(out, ignored) ? std::optional(out) : std::nullopt;
}

std::vector<fs::path> shared_files(const fs::path& source_dir, const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code ignored;
  const auto shared = shared_dir(source_dir);
  if (!shared) return out;
  for (const auto& entry : fs::directory_iterator(*shared / folder, ignored)) {
    if (entry.is_regular_file()) out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace vyre::testing
