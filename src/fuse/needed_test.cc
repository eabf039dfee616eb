#include "fuse/needed.h"

#include <gtest/gtest.h>

namespace vyre::fuse::needed_tests {
namespace {

// `copy` replaces its second buffer, `add` adds to it.
const std::string kPrograms = R"(
program copy { read a: u32[4u] write b: u32[4u] b[global_id(0)] = a[global_id(0)] }
program add { read a: u32[4u] read_write b: u32[4u] b[global_id(0)] = b[global_id(0)] + a[global_id(0)] }
)";

struct Case {
  const char* what;
  const char* steps;
  std::uint32_t first;
  std::uint32_t last;
  bool is_needed;  // scratch "t"
};

bool is_needed(const Case& c) {
  const auto def = ir::parse(kPrograms +
                             "sequence s { read x: u32[4u] write y: u32[4u] scratch t: u32[4u] "
                             "scratch u: u32[4u] scratch done: u32[4u]\n" +
                             c.steps + " }");
  EXPECT_TRUE(def) << c.what << ": " << def.error().message;
  EXPECT_TRUE(ir::validate(*def).empty()) << c.what;
  const std::vector<bool> needed = needed_after(*def, c.first, c.last);
  EXPECT_TRUE(needed[1]) << c.what;  // the output
  return needed[2];
}

TEST(NeededAfter, ScratchIsNeededWhileSomebodyMayLoadIt) {
  const Case table[] = {
      {"nobody loads it", "run copy(x, t) run copy(x, y)", 0, 1, false},
      {"its readers are inside", "run copy(x, t) run copy(t, y)", 0, 1, false},
      {"a later step loads it", "run copy(x, t) run copy(x, u) run copy(t, y)", 0, 1, true},
      {"a later step adds to it", "run copy(x, t) run copy(x, u) run add(x, t)", 0, 1, true},
      {"it is replaced before it is loaded",
       "run copy(x, t) run copy(t, y) run copy(x, t) run copy(t, u)", 0, 1, false},
      {"a step that may be off replaces nothing",
       "run copy(x, t) run copy(t, y) run copy(x, t) when false run copy(t, u)", 0, 1, true},
      {"an earlier step has loaded it already", "run copy(t, u) run copy(x, t) run copy(t, y)", 1,
       2, false},
      {"an earlier step loads it in the next round",
       "run copy(t, u) run copy(x, t) run copy(t, y) repeat 0 .. 3 until done limit 3", 1, 2, true},
      {"an earlier step replaces it in the next round",
       "run copy(x, t) run copy(x, t) run copy(t, y) repeat 0 .. 3 until done limit 3", 1, 2,
       false},
      {"they load it themselves in the next round",
       "run copy(t, u) run copy(u, t) repeat 0 .. 2 until done limit 3 ", 0, 1, true},
      {"they replace it themselves in the next round",
       "run copy(x, t) run copy(t, y) repeat 0 .. 2 until done limit 3", 0, 1, false},
      {"it is loaded behind the repeat",
       "run copy(x, t) run copy(t, y) run copy(t, u) repeat 0 .. 2 until done limit 3", 0, 1, true},
      {"a step before the repeat is not in the next round",
       "run copy(t, u) run copy(x, t) run copy(t, y) repeat 1 .. 3 until done limit 3", 1, 2,
       false},
      {"it is the flag", "run copy(x, t) run copy(t, y) repeat 0 .. 2 until t limit 3", 0, 1, true},
  };
  for (const Case& c : table) EXPECT_EQ(is_needed(c), c.is_needed) << c.what;
}

}  // namespace
}  // namespace vyre::fuse::needed_tests
