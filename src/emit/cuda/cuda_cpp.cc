#include "emit/cuda/cuda_cpp.h"

#include "emit/cuda/cuda_dialect.h"

namespace vyre::emit {

Expected<std::string> cuda_cpp(std::span<const KernelSource> kernels) {
  return translation_unit(cuda::kDialect, kernels);
}

}  // namespace vyre::emit
