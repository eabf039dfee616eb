// The first Vulkan device joins the suite, with validation layers: no case may leave a message of
// theirs.

#include "vyre/vulkan.h"

#include <gtest/gtest.h>

#include "suite.h"
#include "testing/scale_shader.h"

namespace vyre::conformance {
namespace {

// One for all cases: the probe of a device's mathematics compiles a kernel.
std::shared_ptr<Device> device() {
  static const auto opened = testing::open_validated();
  return opened;
}

// The layers' messages are looked at behind the last test of the program.
class NoMessages final : public ::testing::Environment {
 public:
  void TearDown() override {
    for (const std::string& message : vulkan_messages()) ADD_FAILURE() << message;
  }
};

const bool kJoined = join({.name = "vulkan", .open = device, .missing = testing::missing_vulkan}) &&
                     ::testing::AddGlobalTestEnvironment(new NoMessages) != nullptr;

}  // namespace
}  // namespace vyre::conformance
