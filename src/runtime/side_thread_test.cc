#include "runtime/side_thread.h"

#include <gtest/gtest.h>

#include <latch>
#include <limits>

namespace vyre {
namespace {

TEST(SideThread, WaitsForWorkThatIsQuick) {
  SideThread side_thread;
  int sum = 0;
  for (int k = 0; k < 100; ++k) {
    EXPECT_TRUE(side_thread.run([&] { sum += k; }, std::numeric_limits<double>::infinity()));
  }
  EXPECT_EQ(sum, 4950);
}

TEST(SideThread, LeavesSlowWorkAloneAndTakesNoOther) {
  std::latch may_go{1};
  bool is_done = false;
  {
    SideThread side_thread;
    EXPECT_TRUE(side_thread.run([&] { may_go.wait(), is_done = true; }, 0));
    EXPECT_FALSE(side_thread.run([] { ADD_FAILURE(); }, 0));
    may_go.count_down();
  }
  EXPECT_TRUE(is_done);
}

}  // namespace
}  // namespace vyre
