// The first OpenCL device joins the suite.

#include "suite.h"

namespace vyre::conformance {
namespace {

// One for all cases: PoCL's first build in a context takes three times as long as the next.
std::shared_ptr<Device> device() {
  static const auto opened = open_device("opencl");
  return opened ? *opened : nullptr;
}

const bool kJoined = join({.name = "opencl", .open = device});

}  // namespace
}  // namespace vyre::conformance
