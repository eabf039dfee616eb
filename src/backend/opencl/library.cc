#include "backend/opencl/library.h"

#include <dlfcn.h>

#include <string_view>

#include "base/check.h"

namespace vyre::backend::opencl {
namespace {

// The name of every loader since 2008. The name without a version comes with packages for
// developers only.
constexpr const char* kLibrary = "libOpenCL.so.1";

// Never destroyed: a compiler that was given up may still call OpenCL while the process ends.
const Expected<Api>& loaded() {
  static const auto* const kLoaded = new Expected<Api>(load_api(kLibrary));
  return *kLoaded;
}

// The function that an application's own calls reach: tools that trace or simulate OpenCL
// (LD_PRELOAD) come before the library.
void* find_function(void* library, const char* name) {
  void* const own = dlsym(library, name);
  void* const first = dlsym(RTLD_DEFAULT, name);
  return own == nullptr || first == nullptr ? own : first;
}

}  // namespace

Expected<Api> load_api(const char* library) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    return backend_error(
        "this machine has no OpenCL ({}); install its loader and a driver, for example the "
        "packages ocl-icd-libopencl1 and pocl-opencl-icd",
        reason == nullptr ? library : reason);
  }
  Api out;
  std::string_view missing;
#define VYRE_OPENCL_FUNCTION(name)                                               \
  out.name = reinterpret_cast<decltype(out.name)>(find_function(handle, #name)); \
  if (out.name == nullptr) missing = #name;
#include "backend/opencl/api_functions.def"
#undef VYRE_OPENCL_FUNCTION
  if (missing.empty()) return out;
  return backend_error(
      "{} has no {}; install a loader for OpenCL 1.2 or newer, for example the package "
      "ocl-icd-libopencl1",
      library, missing);
}

Expected<void> has_api() {
  if (!loaded()) return std::unexpected(loaded().error());
  return {};
}

const Api& api() {
  VYRE_CHECK(loaded());
  return *loaded();
}

}  // namespace vyre::backend::opencl
