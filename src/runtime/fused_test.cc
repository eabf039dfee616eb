// A widened sequence is served like any other: declared, tuned on a miss, launched, and left for
// the unfused chain where the device refuses the plan.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/tuning_fixture.h"
#include "vyre/fuse.h"

namespace vyre {
namespace {

// out[i] = 3 (x[i] + 7).
constexpr const char* kChain = R"(
program plus { shape n: u32 tunable block: u32 = 16u in 16u, 1048576u
  read x: u32[n] write t: u32[n] workgroup [block] grid [(n + block - 1u) / block]
  let i: u32 = global_id(0) if i < n { t[i] = x[i] + 7u } }
program times { shape n: u32 tunable block: u32 = 16u in 16u, 1048576u
  read t: u32[n] write out: u32[n] workgroup [block] grid [(n + block - 1u) / block]
  let i: u32 = global_id(0) if i < n { out[i] = t[i] * 3u } }
sequence chain { shape n: u32 read x: u32[n] scratch t: u32[n] write out: u32[n]
  run plus(x, t) run times(t, out) }
)";

const fuse::Widened& chain() {
  static const fuse::Widened kWidened = [] {
    const auto sequence = ir::Sequence::make(*ir::parse(kChain));
    EXPECT_TRUE(sequence) << sequence.error().message;
    auto widened = fuse::widen(*sequence);
    EXPECT_TRUE(widened) << widened.error().message;
    return *std::move(widened);
  }();
  return kWidened;
}

std::vector<std::uint32_t> result(std::size_t n) {
  std::vector<std::uint32_t> out = testing::words(n);
  for (std::uint32_t& word : out) word = (word + 7) * 3;
  return out;
}

space::Space plans() {
  auto space = space::Space::build(chain().space);
  EXPECT_TRUE(space) << space.error().message;
  return *std::move(space);
}

TEST(FusedSequence, IsTunedOnAMissAndServed) {
  ASSERT_FALSE(chain().intervals.empty());
  testing::TuningFixture f({.mode = Mode::natural, .miss_budget = testing::kAll});
  ASSERT_TRUE(f.runtime.declare(chain().sequence, {.space = plans()}));
  for (int k = 0; k < 3; ++k) EXPECT_EQ(f.launch(chain().sequence, 1000), result(1000));
  EXPECT_EQ(f.count(EventKind::tuned), 1U);
  EXPECT_EQ(f.count(EventKind::fallback), 0U);
  const Config decided = f.decision(chain().sequence, {1000, 1000, 1000}).config;
  EXPECT_NE(fuse::describe_plan(decided), "") << to_string(decided);
}

// No device has workgroups of 2^20 invocations.
TEST(FusedSequence, APlanThatTheDeviceRefusesGivesWayToTheChainAsItIsWritten) {
  ASSERT_FALSE(chain().intervals.empty());
  testing::TuningFixture f({});
  ASSERT_TRUE(f.runtime.declare(chain().sequence, {.space = plans()}));
  const std::vector<std::uint64_t> shape{1000, 1000, 1000};
  Config refused = fuse::single_plans(chain()).front();
  refused.set("block", 1 << 20);
  const Decision decision{.program = "chain",
                          .fingerprint = chain().sequence.fingerprint(),
                          .shape = shape,
                          .config = refused,
                          .space = digest_of(plans()),
                          .elapsed = {10, 9, 11},
                          .default_elapsed = {20, 19, 21},
                          .samples = 1000,
                          .decided_at = 1};
  const Key key = key_of(chain().sequence.fingerprint(), shape);
  ASSERT_EQ(f.runtime.cache().offer(key, decision), Offer::kept);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(f.launch(chain().sequence, 1000), result(1000));
  EXPECT_EQ(f.count(EventKind::fallback), 1U);
  EXPECT_THAT(f.events.back().message,
              ::testing::HasSubstr("the remembered configuration is refused and the default used"));
}

}  // namespace
}  // namespace vyre
