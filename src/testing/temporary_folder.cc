#include "testing/temporary_folder.h"

#include <stdlib.h>

#include <algorithm>

#include "base/check.h"

namespace vyre::testing {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "vyre_test_XXXXXX").string();
  VYRE_CHECK(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    out.push_back(entry.path().filename().string());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace vyre::testing
