#include "base/statistics.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace vyre {
namespace {

TEST(Median, IsTheMiddleOrTheMeanOfTwo) {
  EXPECT_EQ(median(std::vector<double>{3}), 3);
  EXPECT_EQ(median(std::vector<double>{9, 1, 4}), 4);
  EXPECT_EQ(median(std::vector<std::uint64_t>{4, 1, 9, 2}), 3);
  EXPECT_EQ(median_of_sorted(std::vector<double>{1, 2, 5, 9}), 3.5);
}

}  // namespace
}  // namespace vyre
