#include "emit/opencl/opencl_c.h"

#include "emit/opencl/opencl_dialect.h"

namespace vyre::emit {

Expected<std::string> opencl_c(std::span<const KernelSource> kernels) {
  return translation_unit(opencl::kDialect, kernels);
}

}  // namespace vyre::emit
