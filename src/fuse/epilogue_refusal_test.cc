// Near misses of epilogues: chains that are one change away from a legal one, with the rule that
// refuses each.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fuse/epilogue.h"
#include "testing/epilogue_chain.h"
#include "testing/joined_chain.h"

namespace vyre::fuse::epilogue_refusal_tests {
namespace {

using testing::Changes;
using testing::JoinedChain;
using testing::kEpilogueChain;
using testing::text_of;

JoinedChain joined_after(const std::string& text, const Changes& changes = {}) {
  return testing::join_chain(text, changes, join_epilogue);
}

TEST(EpilogueRefusal, OneChangeAwayFromALegalChain) {
  struct Case {
    Changes changes;
    Refusal expected;
  };
  const std::string complete = "it is not proved that \"first\" stores every element of \"t\"";
  const std::string pointwise =
      "\"second\" loads other elements of what \"first\" stores than the one that it computes";
  const std::vector<Case> cases{
      {{{"t[j] + w[j]", "w[j]"}},
       {"epilogue.unread", "\"second\" loads nothing that \"first\" stores"}},
      {{{"// first declares", "write u: f32[n]"},
        {"// first stores", "u[n - 1u - i] = 1f"},
        {"// sequence declares", "scratch u: f32[n]"},
        {"run first(a, t)", "run first(a, t, u)"},
        {"run second(t, w, y)", "run second(t, u, y)"}},
       {"epilogue.complete", "it is not proved that \"first\" stores every element of \"u\""}},
      {{{"// first declares", "write u: f32[n]"},
        {"// first stores", "if i < n { u[i] = 1f }"},
        {"// sequence declares", "scratch u: f32[n]"},
        {"run first(a, t)", "run first(a, t, u)"},
        {"run second(t, w, y)", "run second(t, u, y)"}},
       {"epilogue.beside", "\"first\" does not store \"t\" and \"u\" side by side at one index"}},
      {{{"// first declares", "write u: f32[n]"},
        {"local seen: f32[4u]", "local seen: f32[4u]\n  tunable other: u32 = 2u"},
        {"// first stores", "u[i] = 1f"},
        {"// sequence declares", "scratch u: f32[2u * n]"},
        {"write u: f32[n]", "write u: f32[2u * n]"},
        {"run first(a, t)", "run first(a, t, u)"},
        {"read w: f32[n]", "read w: f32[2u * n]"},
        {"run second(t, w, y)", "run second(t, u, y)"}},
       {"epilogue.length", "\"u\" and \"t\" have different lengths"}},
      {{{"read a: f32[n]\n  read w", "read_write a: f32[n]\n  read w"},
        {"run second(t, w, y)", "run second(t, w, a)"}},
       {"epilogue.output", "\"second\" writes \"a\", which \"first\" uses"}},
      {{{"a[i] * seen", "t[i] * seen"}},
       {"epilogue.loads", "\"first\" loads \"t\", which it writes"}},
      {{{"// first stores", "t[i] = 0f"}},
       {"epilogue.stores", "\"first\" writes \"t\" at 2 places, not in one store"}},
      {{{"if i < n {", "if i + 1u < n {"}}, {"epilogue.complete", complete}},
      {{{"if i < n {", "if i < n & a[i] < 2f {"}}, {"epilogue.complete", complete}},
      {{{"grid [(n + 4u * items - 1u) / (4u * items)]",
         "grid [(n + 4u * items - 1u) / (4u * items), 2u]"}},
       {"epilogue.injective",
        "it is not proved that \"first\" stores each element of \"t\" only once"}},
      {{{"      t[i] = a[i]", "for q: u32 in 0u .. 2u { t[i] = a[i]"},
        {"[3u - local_id(0)]", "[3u - local_id(0)] }"}},
       {"epilogue.injective",
        "it is not proved that \"first\" stores each element of \"t\" only once"}},
      {{{"t[j] + w[j]", "t[j] + t[j + 1u]"}}, {"epilogue.pointwise", pointwise}},
      {{{"t[j] + w[j]", "t[n - 1u - j] + w[j]"}}, {"epilogue.pointwise", pointwise}},
      {{{"t[j] + w[j]", "t.x2[j].0 + w[j]"}}, {"epilogue.pointwise", pointwise}},
      {{{"write y: f32[n]\n  // second", "write y: f32[2u * n]\n  // second"},
        {"if j < n {", "if j < 2u * n {"},
        {"write y: f32[n]\n  // seq", "write y: f32[2u * n]\n  // seq"}},
       {"epilogue.length", "\"y\" and \"t\" have different lengths"}},
      {{{"write y: f32[n]\n  // second", "read_write y: f32[n]\n  // second"},
        {"t[j] + w[j]", "t[j] + y[j + 1u]"},
        {"write y: f32[n]\n  // seq", "read_write y: f32[n]\n  // seq"}},
       {"epilogue.own", "\"second\" loads \"y\", which it writes"}},
      {{{"// second declares", "write z: f32[n]"},
        {"t[j] + w[j]", "t[j] + w[j] z[j] = t[j] + y[j]"},
        {"// sequence declares", "write z: f32[n]"},
        {"run second(t, w, y)", "run second(t, w, y, z)"}},
       {"epilogue.own", "\"second\" loads \"y\", which it writes"}},
      {{{"write y: f32[n]\n  // second", "read_write y: f32[n]\n  // second"},
        {"write y: f32[n]\n  // seq", "read_write y: f32[n]\n  // seq"},
        {"y[j] = t[j] + w[j]", "for q: u32 in 0u .. 2u { y[j] = t[j] + y[j] }"}},
       {"epilogue.own", "\"second\" loads \"y\", which it writes"}},
      {{{"if j < n {", "if j + 1u < n {"}},
       {"epilogue.covers", "it is not proved that \"second\" stores every element of \"y\""}},
      {{{"// second declares", "private p: f32[2u]"}},
       {"epilogue.plain", "\"second\" has a local or private array"}},
      {{{"// second stores", "y[j] = 0f"}},
       {"epilogue.once", "\"second\" stores \"y\" at 2 places, not at one"}},
      {{{"t[j] + w[j]", "t[j] + f32(local_id(0))"}},
       {"epilogue.index",
        "an element of \"y\" depends on local_id(0) of \"second\", which does not follow from its "
        "index"}},
  };
  for (const auto& [changes, expected] : cases) {
    const JoinedChain chain = joined_after(kEpilogueChain, changes);
    ASSERT_FALSE(chain.joined.has_value()) << expected.rule << " " << changes[0].second << "\n"
                                           << text_of(chain);
    EXPECT_EQ(chain.joined.error().rule, expected.rule) << text_of(chain) << changes[0].second;
    EXPECT_EQ(chain.joined.error().why, expected.why) << changes[0].second;
  }
}

TEST(EpilogueRefusal, StoresAtDifferentIndices) {
  const JoinedChain chain = joined_after(R"(
program first { shape n: u32 read a: f32[n * n] write t: f32[n * n] write u: f32[n * n]
  workgroup [4u, 4u] grid [(n + 3u) / 4u, (n + 3u) / 4u]
  let x: u32 = global_id(0) let y: u32 = global_id(1)
  if x < n & y < n { t[y * n + x] = a[y * n + x] u[x * n + y] = 2f * a[y * n + x] } }
program second { shape n: u32 read t: f32[n] read u: f32[n] write z: f32[n]
  let j: u32 = global_id(0)
  if j < n { z[j] = t[j] - u[j] } }
sequence s { shape n: u32 read a: f32[n * n] scratch t: f32[n * n] scratch u: f32[n * n]
  write z: f32[n * n] run first(a, t, u; n = n) run second(t, u, z) }
)");
  ASSERT_FALSE(chain.joined.has_value()) << text_of(chain);
  EXPECT_EQ(chain.joined.error().rule, "epilogue.beside") << chain.joined.error().why;
}

TEST(EpilogueRefusal, StoresOfDifferentWidths) {
  const JoinedChain chain = joined_after(R"(
program first { shape n: u32 read a: f32[n * 4u] write t: f32[n * 4u]
  let i: u32 = global_id(0)
  if i < n { t.x4[i] = a.x4[i] } }
program second { shape n: u32 read t: f32[n] write z: f32[n]
  let j: u32 = global_id(0)
  if j < n { z[j] = t[j] } }
sequence s { shape n: u32 read a: f32[n * 4u] scratch t: f32[n * 4u] write z: f32[n * 4u]
  run first(a, t; n = n) run second(t, z) }
)");
  ASSERT_FALSE(chain.joined.has_value()) << text_of(chain);
  EXPECT_EQ(text_of(chain),
            "epilogue.width: \"first\" stores 4 elements at once, \"second\" stores 1");
}

}  // namespace
}  // namespace vyre::fuse::epilogue_refusal_tests
