#include "emit/opencl/opencl_c.h"

#include <set>

#include "base/error.h"
#include "base/text.h"
#include "emit/opencl/kernel_writer.h"
#include "emit/opencl/language.h"
#include "emit/opencl/prelude.h"
#include "ir/names.h"

namespace vyre::emit {
namespace {

Expected<void> check_entries(std::span<const KernelSource> kernels) {
  std::set<std::string> seen;
  for (const KernelSource& kernel : kernels) {
    if (!ir::is_identifier(kernel.entry) || opencl::is_reserved(kernel.entry)) {
      return bad_inputs("{} cannot be the name of an OpenCL kernel; choose another entry name",
                        quote(kernel.entry));
    }
    if (!seen.insert(kernel.entry).second) {
      return bad_inputs("two kernels are called {}; give each its own entry name",
                        quote(kernel.entry));
    }
  }
  return {};
}

}  // namespace

Expected<std::string> opencl_c(std::span<const KernelSource> kernels) {
  VYRE_TRY_VOID(check_entries(kernels));
  opencl::Prelude prelude;
  std::string bodies;
  for (const KernelSource& kernel : kernels) bodies += "\n" + opencl::kernel_text(kernel, prelude);
  return "#pragma OPENCL FP_CONTRACT OFF\n" + prelude.text() + bodies;
}

}  // namespace vyre::emit
