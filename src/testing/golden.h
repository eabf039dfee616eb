// Where the golden vectors live, read as JSON.

#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace vyre::testing {

// tests/golden/NAME of this checkout; aborts the test run with a message if it is not there.
nlohmann::json load_golden(const std::filesystem::path& source_dir, const std::string& name);

}  // namespace vyre::testing
