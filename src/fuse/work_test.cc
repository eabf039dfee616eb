#include "fuse/work.h"

#include <gtest/gtest.h>

namespace vyre::fuse::work_tests {
namespace {

struct Case {
  const char* name;
  const char* body;  // after: shape n, read x: f32[n], write y: f32[n], 64 x 4 invocations
  double read_bytes;
  double written_bytes;
  double operations;
};

// n is 256, and as many invocations run.
const Case kCases[] = {
    {"a map reads and writes each element once", "y[global_id(0)] = x[global_id(0)] + 1.0f", 1024,
     1024, 3 * 256},
    {"a map of several elements for each invocation",
     "for k: u32 in 0u .. 4u { y[global_id(0) * 4u + k] = x[global_id(0) * 4u + k] }", 1024, 1024,
     2 * 4 * 256},
    {"what is read again is in a cache",
     "y[global_id(0)] = x[global_id(0)] + x[global_id(0) + 1u] + x[global_id(0) + 2u]", 1024, 1024,
     6 * 256},
    {"one element for all", "y[global_id(0)] = x[0u]", 1024, 1024, 2 * 256},
    {"slow operations count more", "y[global_id(0)] = exp(x[global_id(0)])", 1024, 1024, 14 * 256},
    {"integers are free", "y[global_id(0) * 3u / 3u] = 1.0f", 0, 1024, 256},
    {"the branch of the first invocation counts",
     "if global_id(0) < n { y[global_id(0)] = 1.0f } else { y[0u] = x[0u] }", 0, 1024, 256},
    {"the other one if it takes that",
     "if global_id(0) >= n { y[global_id(0)] = 1.0f } else { y[global_id(0)] = x[0u] }", 1024, 1024,
     2 * 256},
    {"the dearer branch if it is not known",
     "if u[0u] > 0u { y[global_id(0)] = 1.0f } else { y[global_id(0)] = x[0u] }", 1028, 1024,
     3 * 256},
    {"private arrays are registers", "p[0u] = x[global_id(0)] y[global_id(0)] = p[0u] + p[1u]",
     1024, 1024, 3 * 256},
    {"a loop whose bounds follow from ids counts as for the first invocation",
     "for k: u32 in local_id(0) .. n step local_size(0) { y[k] = 1.0f }", 0, 1024, 4 * 256},
    {"a loop of unknown length turns once", "for k: u32 in 0u .. u32(x[0u]) { y[k] = 1.0f }", 1024,
     1024, 2 * 256},
    {"a while turns at most eight times", "while global_id(0) < n limit 100u { y[0u] = 1.0f }", 0,
     1024, 8 * 256},
    {"an atomic reads and writes", "atomic_max(u, 0u, 1u)", 4, 4, 256},
};

TEST(Work, IsCountedFromTheText) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto program = ir::parse_program(
        std::string("program p { shape n: u32 read x: f32[n] write y: f32[n] read_write u: u32[1u] "
                    "private p: f32[2u] workgroup [64u] grid [4u] ") +
        c.body + " }");
    ASSERT_TRUE(program) << program.error().message;
    ASSERT_TRUE(ir::validate(*program).empty()) << ir::validate(*program).front().message;
    const std::uint64_t symbols[] = {256};
    const std::uint64_t lengths[] = {256, 256, 1};
    const Work work = work_of(*program, symbols, {64, 1, 1}, {4, 1, 1}, lengths);
    EXPECT_EQ(work.read_bytes, c.read_bytes);
    EXPECT_EQ(work.written_bytes, c.written_bytes);
    EXPECT_EQ(work.operations, c.operations);
    EXPECT_EQ(work.bytes(), c.read_bytes + c.written_bytes);
  }
}

TEST(Work, CountsRepeatedAccessesByBuffer) {
  const auto program = ir::parse_program(
      "program p { read x: f32[9u] write y: f32[8u] workgroup [8u] grid [1u] "
      "y[global_id(0)] = x[global_id(0)] + x[global_id(0) + 1u] }");
  ASSERT_TRUE(program) << program.error().message;
  const std::uint64_t lengths[] = {9, 8};
  const Work work = work_of(*program, {}, {8, 1, 1}, {1, 1, 1}, lengths);
  EXPECT_EQ(work.loads, (std::vector<double>{16, 0}));
  EXPECT_EQ(work.stores, (std::vector<double>{0, 8}));
}

}  // namespace
}  // namespace vyre::fuse::work_tests
