#include "testing/golden.h"

#include <fstream>

#include "base/check.h"

namespace vyre::testing {

nlohmann::json load_golden(const std::filesystem::path& source_dir, const std::string& name) {
  std::ifstream file(source_dir / "tests" / "golden" / name);
  VYRE_CHECK(file.is_open());
  return nlohmann::json::parse(file);
}

}  // namespace vyre::testing
