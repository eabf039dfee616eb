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

// Two underscores in a row are reserved for names that we choose ourselves; a caller's entry made
// of a program's name may have them, and compilers do not mind.
bool can_be_entry(std::string_view name) {
  std::string checked(name);
  for (std::size_t at = 0; (at = checked.find("__", at)) != std::string::npos;)
    checked.erase(at, 1);
  return ir::is_identifier(name) && !opencl::is_reserved(checked);
}

Expected<void> check(std::span<const KernelSource> kernels) {
  std::set<std::string_view> seen;
  for (const KernelSource& kernel : kernels) {
    if (kernel.program->source) {
      return bad_inputs("program {} is source text already; compile that",
                        quote(kernel.program->name));
    }
    if (!can_be_entry(kernel.entry)) {
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
  VYRE_TRY_VOID(check(kernels));
  opencl::Prelude prelude;
  std::string bodies;
  for (const KernelSource& kernel : kernels) bodies += "\n" + opencl::kernel_text(kernel, prelude);
  return "#pragma OPENCL FP_CONTRACT OFF\n" + prelude.text() + bodies;
}

}  // namespace vyre::emit
