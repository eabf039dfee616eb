// CUDA joins the suite, on the interpreter of PTX behind the driver's interface: NVRTC is the real
// one, and there is no card.

#include "vyre/cuda.h"

#include "suite.h"
#include "testing/test_tools.h"

namespace vyre::conformance {
namespace {

std::string missing_tools() {
  return testing::nvrtc_library() ? "" : "there is no NVRTC; run tools/setup --all";
}

std::shared_ptr<Device> interpreted_device() {
  static const auto opened =
      open_cuda({}, {.driver = VYRE_FAKE_CUDA, .compiler = testing::nvrtc_library()->string()});
  EXPECT_TRUE(opened) << opened.error().message;
  return opened ? opened->front() : nullptr;
}

const bool kCudaJoined =
    join({.name = "cuda", .open = interpreted_device, .missing = missing_tools});

}  // namespace
}  // namespace vyre::conformance
