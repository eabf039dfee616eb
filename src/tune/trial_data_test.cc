#include "tune/trial_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace vyre {
namespace {

std::vector<float> floats(const backend::InputContent& content) {
  return values_of<float>({content.host.begin(), content.host.end()});
}

TEST(TrialData, TheSecondSetHasOtherContentOfTheSameValues) {
  const auto problem = bundled_problem("saxpy", {{"n", 4096}});
  ASSERT_TRUE(problem) << problem.error().message;
  ASSERT_TRUE(has_second_data(*problem));
  const TrialData first = first_data(*problem);
  const TrialData second = second_data(*problem);
  ASSERT_EQ(second.inputs.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto before = floats(first.inputs[k]);
    const auto after = floats(second.inputs[k]);
    ASSERT_EQ(after.size(), before.size());
    EXPECT_NE(after, before);
    const std::set<float> allowed(before.begin(), before.end());
    for (const float value : after) EXPECT_TRUE(allowed.contains(value));
    EXPECT_GT(std::set<float>(after.begin(), after.end()).size(), 2000U);
    EXPECT_EQ(floats(second_data(*problem).inputs[k]), after);
  }
}

TEST(TrialData, AnInputOfTheApplicationStaysAsItIs) {
  auto problem = bundled_problem("saxpy", {{"n", 4096}});
  ASSERT_TRUE(problem) << problem.error().message;
  ASSERT_TRUE(set_input(*problem, "x", std::vector<std::byte>(4 * 4096, std::byte{1})));
  const TrialData second = second_data(*problem);
  EXPECT_EQ(floats(second.inputs[0]), floats(first_data(*problem).inputs[0]));
  EXPECT_NE(floats(second.inputs[1]), floats(first_data(*problem).inputs[1]));
  ASSERT_TRUE(set_input(*problem, "y", std::vector<std::byte>(4 * 4096, std::byte{1})));
  EXPECT_FALSE(has_second_data(*problem));
}

}  // namespace
}  // namespace vyre
