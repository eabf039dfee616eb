#include "backend/cuda/target.h"

#include <algorithm>

#include "base/error.h"

namespace vyre::backend::cuda {
namespace {

// The newest architecture that the compiler knows and the device can run; 0: there is none.
int nearest_architecture(const Compiler& compiler, int capability) {
  int nearest = 0;
  for (const int known : compiler.architectures()) {
    if (known <= capability) nearest = std::max(nearest, known);
  }
  return nearest;
}

std::unexpected<Error> no_target(const Compiler& compiler, int capability, int driver_version) {
  const int driver_major = driver_version / 1000;
  const int driver_minor = driver_version % 1000 / 10;
  if (compiler.major() > driver_major) {
    return backend_error(
        "the driver is for CUDA {}.{} and cannot load what {} makes; install a newer driver, or "
        "libnvrtc.so.{}",
        driver_major, driver_minor, compiler.name(), driver_major);
  }
  const int oldest = compiler.architectures().empty() ? 0 : compiler.architectures().front();
  if (capability < oldest) {
    return backend_error("{} compiles for sm_{} and newer, the device is sm_{}; install {}",
                         compiler.name(), oldest, capability, "an older NVRTC (libnvrtc.so.12)");
  }
  return backend_error(
      "{} does not know sm_{}, and the driver for CUDA {}.{} is too old for its PTX; install a "
      "newer "
      "driver or a newer NVRTC",
      compiler.name(), capability, driver_major, driver_minor);
}

}  // namespace

Expected<Target> choose_target(const Compilers& compilers, int capability, int driver_version) {
  for (const auto& compiler : compilers) {
    const bool knows = std::ranges::binary_search(compiler->architectures(), capability);
    if (!knows || compiler->major() > driver_version / 1000) continue;
    return Target{.compiler = compiler,
                  .form = Form::binary,
                  .architecture = fmt::format("sm_{}", capability),
                  .ptx_architecture = fmt::format("compute_{}", capability)};
  }
  for (const auto& compiler : compilers) {
    const int nearest = nearest_architecture(*compiler, capability);
    const bool is_loadable = compiler->major() * 1000 + compiler->minor() * 10 <= driver_version;
    if (nearest == 0 || !is_loadable) continue;
    const std::string architecture = fmt::format("compute_{}", nearest);
    return Target{.compiler = compiler,
                  .form = Form::ptx,
                  .architecture = architecture,
                  .ptx_architecture = architecture};
  }
  // The oldest compiler is nearest to what an old driver or an old device needs.
  return no_target(*compilers.back(), capability, driver_version);
}

}  // namespace vyre::backend::cuda
