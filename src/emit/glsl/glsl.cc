#include "emit/glsl/glsl.h"

#include "base/check.h"
#include "emit/glsl/glsl_dialect.h"

namespace vyre::emit {

Expected<std::string> glsl(std::span<const KernelSource> kernels) {
  VYRE_CHECK(kernels.size() == 1);
  KernelSource kernel = kernels[0];
  kernel.entry = "entry";  // a shader's function is `main`, whatever the kernel is called
  return translation_unit(glsl_dialect::kDialect, {&kernel, 1});
}

}  // namespace vyre::emit
