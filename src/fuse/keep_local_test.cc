// Numbers of a workgroup stay in local memory, and near misses stay in buffers.

#include "fuse/keep_local.h"

#include <gtest/gtest.h>

#include "testing/buffers_left.h"
#include "testing/row_programs.h"

namespace vyre::fuse::keep_local_tests {
namespace {

using testing::BufferCase;

const std::string kNumbers = R"(program numbers {
  shape rows: u32
  tunable lanes: u32 = 4u
  read x: u32[rows * lanes]
  write t: u32[rows]
  write y: u32[rows * lanes]
  workgroup [lanes]
  grid [rows]
  let r: u32 = group_id(0)
  let lane: u32 = local_id(0)
  if lane == 0u {
    t[r] = x[r]
  }
  barrier
  y[r * lanes + lane] = t[r] + length(t)
}
)";

TEST(KeepLocal, KeepsTheNumberOfAWorkgroup) {
  const BufferCase table[] = {
      {"as it is", "", "", false},
      {"two numbers of a row", "t[r] + length", "t[r + 1u] + length", true},
      {"a number of each lane", "if lane == 0u {\n    t[r] = x[r]",
       "if lane < rows {\n    t[lane] = x[r]", true},
      {"an element that all workgroups have", "write t: u32[rows]", "write t: u32[1u]", true},
      {"more workgroups than numbers", "grid [rows]", "grid [rows + 1u]", true},
      {"an atomic", "t[r] = x[r]", "atomic_add(t, r, x[r])", true},
      {"numbers of several workgroups", "let r: u32 = group_id(0)", "let r: u32 = group_id(0) / 2u",
       true},
  };
  for (const BufferCase& c : table) {
    const ir::Program program = testing::parsed(testing::changed(kNumbers, c.from, c.to));
    const ir::Program kept = keep_local(program, testing::named(program, "t"));
    EXPECT_EQ(testing::has_buffer(kept, "t"), c.stays) << c.name << ir::print(kept);
    EXPECT_EQ(testing::has_buffer(kept, "kept_t"), !c.stays) << c.name;
  }
}

// All accesses have the same index, but each lane has another element.
TEST(KeepLocal, KnowsThatLanesHaveElementsOfTheirOwn) {
  const std::string own = "t[r * lanes + lane]";
  std::string text = testing::changed(kNumbers, "write t: u32[rows]", "write t: u32[rows * lanes]");
  text =
      testing::changed(text, "if lane == 0u {\n    t[r] =", "if lane < lanes {\n    " + own + " =");
  const ir::Program program =
      testing::parsed(testing::changed(text, "t[r] + length", own + " + length"));
  EXPECT_TRUE(testing::has_buffer(keep_local(program, testing::named(program, "t")), "t"));
}

// All accesses are to one element, but each workgroup has the same one.
TEST(KeepLocal, KnowsThatWorkgroupsShareAnElement) {
  const std::string same = testing::changed(
      testing::changed(kNumbers, "t[r] = x[r]", "t[0u] = x[r]"), "t[r] + length", "t[0u] + length");
  const ir::Program program = testing::parsed(same);
  EXPECT_TRUE(testing::has_buffer(keep_local(program, testing::named(program, "t")), "t"));
}

}  // namespace
}  // namespace vyre::fuse::keep_local_tests
