// Values that are stored and loaded again stay in variables, and near misses stay in memory.

#include "fuse/forward.h"

#include <gtest/gtest.h>

#include "testing/buffers_left.h"
#include "testing/row_programs.h"

namespace vyre::fuse::forward_tests {
namespace {

using testing::BufferCase;

const std::string kTwice = R"(program twice {
  shape n: u32
  read x: f32[n]
  write t: f32[n]
  write y: f32[n]
  workgroup [8u]
  grid [(n + 7u) / 8u]
  let i: u32 = global_id(0)
  if i < n {
    t[i] = x[i] * 2f
    y[i] = t[i] + 1f
  }
}
)";

TEST(Forward, KeepsValuesInVariables) {
  const BufferCase table[] = {
      {"the element itself", "", "", false},
      {"the same element in other words", "y[i] = t[i]", "y[i] = t[i + 1u - 1u]", false},
      {"a load in a loop", "y[i] = t[i] + 1f", "for k: u32 in 0u .. 3u { y[i] = t[i] }", false},
      {"a store that is not always reached", "t[i] = x[i] * 2f",
       "if x[i] > 0f { t[i] = x[i] * 2f }", true},
      {"a store that another turn sees", "y[i] = t[i] + 1f",
       "for k: u32 in 0u .. 3u { y[i] = t[i] + 1f t[i] = x[i] + 3f }", true},
      {"another element", "y[i] = t[i]", "y[i] = t[i + 1u]", true},
      {"two stores, the last to another element", "t[i] = x[i] * 2f",
       "t[i] = x[i] * 2f t[i / 2u] = 1f", true},
      {"a load that may be outside", "if i < n", "if i < n + 1u", true},
      {"a wider load", "y[i] = t[i] + 1f", "let w: f32x2 = t.x2[i] y[i] = w.0", true},
      {"a barrier", "let i: u32", "barrier let i: u32", true},
  };
  for (const BufferCase& c : table) {
    const ir::Program program = testing::parsed(testing::changed(kTwice, c.from, c.to));
    const ir::Program forwarded = forward(program, {{}, testing::named(program, "t")});
    EXPECT_EQ(testing::has_buffer(forwarded, "t"), c.stays) << c.name << ir::print(forwarded);
  }
}

TEST(Forward, StoresWhatMustNotBeDropped) {
  const ir::Program program = testing::parsed(kTwice);
  const ir::Program forwarded = forward(program, {{}, testing::named(program, "none")});
  EXPECT_TRUE(testing::has_buffer(forwarded, "t"));
  const auto loads_t = [&](const ir::Expr& e) {
    return e.op == ir::Op::load && forwarded.buffers[e.index].name == "t";
  };
  EXPECT_EQ(std::ranges::count_if(forwarded.exprs, loads_t), 0) << ir::print(forwarded);
}

TEST(Forward, LeavesAtomicsAlone) {
  const ir::Program program = testing::parsed(R"(program counted {
  shape n: u32
  write t: u32[n]
  write y: u32[n]
  workgroup [8u]
  grid [(n + 7u) / 8u]
  let i: u32 = global_id(0)
  if i < n {
    t[i] = 3u
    atomic_add(t, i, 1u)
    y[i] = t[i]
  }
}
)");
  EXPECT_TRUE(testing::has_buffer(forward(program, {{}, testing::named(program, "t")}), "t"));
}

}  // namespace
}  // namespace vyre::fuse::forward_tests
