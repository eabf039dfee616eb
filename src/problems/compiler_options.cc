#include "problems/compiler_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.h"

namespace vyre {
namespace {

using Beginnings = std::span<const std::string_view>;

constexpr std::string_view kOpencl[] = {"-cl-", "-D", "-I", "-w"};

// NVRTC takes two dashes for all of its long options, and one as well.
constexpr std::string_view kNvrtc[] = {"-D",
                                       "-U",
                                       "-I",
                                       "-w",
                                       "-std=",
                                       "-use_fast_math",
                                       "-fmad=",
                                       "-ftz=",
                                       "-prec-",
                                       "-maxrregcount",
                                       "-restrict",
                                       "-lineinfo",
                                       "-extra-device-vectorization",
                                       "-define-macro=",
                                       "-undefine-macro=",
                                       "-include-path=",
                                       "-Xptxas",
                                       "-ptxas-options"};

// Definitions only: files that a shader includes are written into its text.
constexpr std::string_view kGlslang[] = {"-D"};

constexpr std::string_view kHiprtc[] = {"-D", "-U", "-I", "-w", "-std=", "-O", "-f", "-m", "-W"};

struct Compiler {
  std::string_view whose;  // for the warning
  Beginnings options;
};

Compiler compiler_of(ir::Language language) {
  switch (language) {
    case ir::Language::cuda:
      return {"NVRTC's", kNvrtc};
    case ir::Language::hip:
      return {"hipRTC's", kHiprtc};
    case ir::Language::glsl:
      return {"glslang's", kGlslang};
    case ir::Language::opencl_c:
      break;
  }
  return {"OpenCL's", kOpencl};
}

bool begins_with_one(std::string_view option, Beginnings beginnings) {
  if (option.starts_with("--")) option.remove_prefix(1);
  return std::ranges::any_of(beginnings, [&](auto begin) { return option.starts_with(begin); });
}

}  // namespace

std::string compiler_options(const recording::KernelSpecification& kernel, ir::Language language,
                             std::vector<std::string>& warnings) {
  const Compiler compiler = compiler_of(language);
  std::string out;
  for (const std::string& option : kernel.compiler_options) {
    if (begins_with_one(option, compiler.options)) {
      out += (out.empty() ? "" : " ") + option;
    } else {
      warnings.push_back(fmt::format("compiler option {} is none of {} and is left out",
                                     quote(option), compiler.whose));
    }
  }
  return out;
}

}  // namespace vyre
