#include "tuner/runtime/beside.h"

#include <gtest/gtest.h>

#include <latch>
#include <limits>

namespace vyre::tuner {
namespace {

TEST(Beside, WaitsForWorkThatIsQuick) {
  Beside beside;
  int sum = 0;
  for (int k = 0; k < 100; ++k) {
    EXPECT_TRUE(beside.run([&] { sum += k; }, std::numeric_limits<double>::infinity()));
  }
  EXPECT_EQ(sum, 4950);
}

TEST(Beside, LeavesSlowWorkAloneAndTakesNoOther) {
  std::latch may_go{1};
  bool is_done = false;
  {
    Beside beside;
    EXPECT_TRUE(beside.run([&] { may_go.wait(), is_done = true; }, 0));
    EXPECT_FALSE(beside.run([] { ADD_FAILURE(); }, 0));
    may_go.count_down();
  }
  EXPECT_TRUE(is_done);
}

}  // namespace
}  // namespace vyre::tuner
