// The first OpenCL device joins the suite. tools/with_opencl shows the process one implementation
// by the name of its .icd file, and each has its own lists of what it cannot do.

#include <cstdlib>
#include <string_view>

#include "suite.h"

namespace vyre::conformance {
namespace {

// One for all cases: PoCL's first build in a context takes three times as long as the next.
std::shared_ptr<Device> device() {
  static const auto opened = open_device("opencl");
  return opened ? *opened : nullptr;
}

bool is_on(std::string_view implementation) {
  const char* shown = std::getenv("OCL_ICD_VENDORS");
  return shown != nullptr && std::string_view(shown).find(implementation) != std::string_view::npos;
}

std::vector<Skip> never() {
  if (!is_on("rusticl.icd")) return {};
  return {{"op_fma_of_constants", "Mesa 22.3 compiles this for longer than a test may take"}};
}

// Wrong results for plain OpenCL C, found by the random programs.
std::vector<Skip> not_yet() {
  if (is_on("intel-opencl.icd")) {
    return {{"a_constant_plus_both_ids",
             "the vectoriser of Intel's 2026.2 drops the vector's part of the local id"}};
  }
  if (is_on("rusticl.icd")) {
    return {{"a_bool_against_a_comparison_of_it", "Mesa 22.3 simplifies it to its opposite"}};
  }
  return {};
}

const bool kJoined =
    join({.name = "opencl", .open = device, .never = never(), .not_yet = not_yet()});

}  // namespace
}  // namespace vyre::conformance
