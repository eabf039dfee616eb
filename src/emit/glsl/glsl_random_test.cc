// Random programs do the same on a Vulkan device as in the interpreter.

#include <gtest/gtest.h>

#include "emit/glsl/glsl.h"
#include "testing/random_case.h"
#include "testing/soak.h"
#include "testing/vulkan_shader.h"

namespace vyre::emit {
namespace {

// The work is split into several tests, so that they can run side by side.
constexpr std::uint32_t kParts = 6;

// Push constants: each value is aligned to its size.
std::vector<std::byte> packed_values(const testing::RandomCase& c) {
  std::vector<std::byte> out;
  for (const auto& [bits, bytes] : testing::scalars_of(c)) {
    const std::size_t size = std::max<std::size_t>(bytes, 4);
    out.resize((out.size() + size - 1) / size * size);
    const auto* from = reinterpret_cast<const std::byte*>(&bits);
    out.insert(out.end(), from, from + size);
  }
  return out;
}

void check_case(const testing::RandomCase& c) {
  const KernelSource kernel = c.kernel();
  const auto source = glsl({&kernel, 1});
  ASSERT_TRUE(source) << "seed " << c.seed << ": " << source.error().message;
  auto buffers = testing::marked_buffers(c);
  auto shader = testing::VulkanShader::compile(*source, static_cast<std::uint32_t>(buffers.size()),
                                               testing::lavapipe_quirks(c.seed % 2 == 0));
  ASSERT_TRUE(shader) << "seed " << c.seed << ": " << shader.error().message << "\n" << *source;
  const auto ran = (*shader)->run(buffers, packed_values(c), c.step().groups);
  ASSERT_TRUE(ran) << "seed " << c.seed << ": " << ran.error().message;
  EXPECT_EQ(testing::mistake_in(c, buffers), "");
}

class RandomVulkan : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomVulkan, DoesWhatTheInterpreterDoes) {
  if (const std::string why = testing::why_no_vulkan(); !why.empty()) GTEST_SKIP() << why;
  const std::uint32_t count = testing::cases(300, 10'000, 30);
  for (std::uint32_t seed = 1 + GetParam(); seed <= count && !HasFailure(); seed += kParts) {
    const auto made = testing::make_random_case(seed);
    ASSERT_TRUE(made) << "seed " << seed << ": " << made.error().message;
    check_case(*made);
  }
}

// Comparisons of widened integers with constants, which Mesa 22.3 gets wrong.
TEST(RandomVulkanSeeds, KeepsSeedsThatWereWrong) {
  if (const std::string why = testing::why_no_vulkan(); !why.empty()) GTEST_SKIP() << why;
  for (const std::uint64_t seed : {1177U, 1802U, 4561U}) {
    const auto made = testing::make_random_case(seed);
    ASSERT_TRUE(made) << made.error().message;
    check_case(*made);
  }
}

INSTANTIATE_TEST_SUITE_P(Part, RandomVulkan, ::testing::Range(0U, kParts));

}  // namespace
}  // namespace vyre::emit
