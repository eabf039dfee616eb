// The first OpenCL device joins the suite. tools/with_driver shows the process one implementation
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
  return {{"op_fma_of_constants", "Mesa 22.3 takes longer for this than a test may"}};
}

// Wrong results that the random programs found.
std::vector<Skip> not_yet() {
  if (is_on("intel-opencl.icd")) {
    return {{"a_constant_plus_both_ids",
             "the vectoriser of Intel's 2026.2 drops the vector's part of the local id"}};
  }
  return {};
}

const bool kJoined =
    join({.name = "opencl", .open = device, .never = never(), .not_yet = not_yet()});

}  // namespace
}  // namespace vyre::conformance
