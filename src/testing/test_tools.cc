#include "testing/test_tools.h"

#include <dlfcn.h>

#include <initializer_list>
#include <string>

namespace vyre::testing {
namespace {

namespace fs = std::filesystem;

// The first of the names that can be opened, in the folder and then wherever the system looks. It
// stays open: compilers do not survive being closed and opened again.
std::optional<fs::path> library(const fs::path& folder, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const fs::path own = folder / name;
    std::error_code ignored;
    if (fs::exists(own, ignored)) return own;
  }
  for (const char* name : names) {
    if (dlopen(name, RTLD_LAZY | RTLD_LOCAL) != nullptr) return fs::path(name);
  }
  return std::nullopt;
}

// NVRTC opens its built-in functions by name, and finds them beside itself. AddressSanitizer opens
// libraries in its callers' place, and then it does not: so they are opened before.
void open_builtins(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("libnvrtc-builtins.so")) dlopen(entry.path().c_str(), RTLD_NOW);
  }
}

}  // namespace

fs::path test_tools_dir() { return VYRE_TEST_TOOLS_DIR; }

std::optional<fs::path> nvrtc_library() {
  const fs::path folder = test_tools_dir() / "nvrtc" / "lib";
  open_builtins(folder);
  return library(folder, {"libnvrtc.so.13", "libnvrtc.so.12"});
}

std::optional<fs::path> hiprtc_library() {
  return library(test_tools_dir() / "hip" / "lib",
                 {"libhiprtc.so.6", "libhiprtc.so.5", "libamdhip64.so.6", "libamdhip64.so.5"});
}

std::optional<fs::path> cuda_include_dir() {
  std::error_code ignored;
  for (const fs::path& folder :
       {test_tools_dir() / "nvrtc" / "include", fs::path("/usr/local/cuda/include")}) {
    if (fs::exists(folder / "cuda_runtime.h", ignored)) return folder;
  }
  return std::nullopt;
}

}  // namespace vyre::testing
