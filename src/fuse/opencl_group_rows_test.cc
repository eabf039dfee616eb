// Every plan of chains whose rows belong to workgroups, on every device.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testing/every_device.h"
#include "testing/group_programs.h"
#include "vyre/fuse.h"

namespace vyre::fuse::opencl_group_rows_tests {
namespace {

std::vector<float> numbers(std::size_t count) {
  std::mt19937_64 random(11);
  std::vector<float> out(count);
  for (float& x : out) x = static_cast<float>(random() % 1000) / 250.0F - 2.0F;
  return out;
}

void expect_near(const Outputs& got, const Outputs& expected, const std::string& where) {
  ASSERT_EQ(got.size(), expected.size()) << where;
  for (std::size_t k = 0; k < got.size(); ++k) {
    const auto a = values_of<float>(got[k]);
    const auto b = values_of<float>(expected[k]);
    ASSERT_EQ(a.size(), b.size()) << where;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_NEAR(a[i], b[i], 1e-5F + 1e-4F * std::fabs(b[i])) << where << " at " << i;
    }
  }
}

void expect_right_everywhere(const std::string& text, std::vector<Argument> arguments) {
  constexpr std::uint32_t kRows = 5;
  constexpr std::uint32_t kCols = 37;
  arguments.push_back({"rows", kRows});
  arguments.push_back({"cols", kCols});
  const auto def = ir::parse(text);
  ASSERT_TRUE(def) << def.error().message;
  const auto sequence = ir::Sequence::make(*def);
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto widened = widen(*sequence);
  ASSERT_TRUE(widened) << widened.error().message;
  const std::vector<float> x = numbers(std::size_t{kRows} * kCols);
  const std::vector<float> gain = numbers(kCols);
  std::vector<Input> inputs{std::as_bytes(std::span(x))};
  if (def->buffers[1].name == "gain") inputs.emplace_back(std::as_bytes(std::span(gain)));
  const auto run = [&](const std::string& device, const ir::Sequence& s, const Config& config) {
    return testing::dispatcher_on(device).dispatch(
        s, {.inputs = inputs, .arguments = arguments, .config = &config});
  };
  const auto expected = run("reference", *sequence, {});
  ASSERT_TRUE(expected) << expected.error().message;
  std::size_t whole = 0;
  for (std::size_t k = 0; k < widened->intervals.size(); ++k) {
    const Interval& interval = widened->intervals[k];
    whole += interval.last - interval.first == widened->links.size() ? 1U : 0U;
    for (const std::string& device : testing::every_device()) {
      const Config config = single_plan(*widened, k);
      const std::string where = device + " with " + to_string(config);
      const auto got = run(device, widened->sequence, config);
      ASSERT_TRUE(got) << where << ": " << got.error().message;
      expect_near(*got, *expected, where);
    }
  }
  EXPECT_GE(whole, 1U) << "the whole chain in one kernel";
}

TEST(GroupRowsOnDevices, GiveSoftmax) {
  using namespace testing;
  expect_right_everywhere(kGroupMax + kGroupExponential + kGroupSum + kGroupDivide + kSoftmax, {});
}

TEST(GroupRowsOnDevices, GiveRmsnorm) {
  using namespace testing;
  expect_right_everywhere(kSquare + kGroupSum + kInverse + kScaleRows + kRmsnorm,
                          {{"epsilon", std::bit_cast<std::uint32_t>(0.5F)}});
}

}  // namespace
}  // namespace vyre::fuse::opencl_group_rows_tests
