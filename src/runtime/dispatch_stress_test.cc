// The dispatch path under many threads: made for ThreadSanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "vyre/builder.h"
#include "vyre/runtime.h"

namespace vyre {
namespace {

const ir::Sequence& same_for_every_tile() {
  static const ir::Sequence kSequence = *ir::Sequence::make(*ir::build("plus", [](ir::Builder& b) {
    auto n = b.shape("n");
    auto tile = b.tunable("tile", 1);
    auto x = b.read(ir::u32, "x", n);
    auto out = b.write(ir::u32, "out", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { out[i] = x[i] + tile * 0; });
  }));
  return kSequence;
}

using Shape = std::array<std::uint64_t, 3>;

Decision decision(std::uint64_t n, std::uint32_t samples) {
  return {.program = "plus",
          .fingerprint = same_for_every_tile().fingerprint(),
          .shape = {n, n, n},
          .config = {{"tile", static_cast<std::int64_t>(samples)}},
          .space = samples % 2 == 0 ? "even" : "odd",
          .samples = samples};
}

// Two threads resolve, one launches, one decides, one saves and one declares, all at once. Whatever
// is found belongs to the shape that was asked for, or says that it is a neighbour's.
TEST(DispatchStress, ReadersAndWritersDoNotDisturbEachOther) {
  const testing::TemporaryFolder folder;
  const std::uint32_t rounds = testing::cases(300, 20'000);
  Runtime runtime = *Runtime::open(
      open_null(), {.files = {.folder = folder.path()}, .feedback = Feedback::gather});
  const ir::Fingerprint& fingerprint = same_for_every_tile().fingerprint();
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  const auto until_stopped = [&](auto body) {
    threads.emplace_back([&, body] {
      for (std::uint64_t k = 0; !stop; ++k) body(k);
    });
  };
  for (int reader = 0; reader < 2; ++reader) {
    until_stopped([&](std::uint64_t k) {
      const std::uint64_t n = k % 200 + 1;
      const Resolved resolved = runtime.resolve(same_for_every_tile(), Shape{n, n, n});
      const bool is_own = resolved.source == Source::decision || resolved.source == Source::seed;
      if (!is_own) return;
      EXPECT_EQ(runtime.cache().read(resolved.decision).shape[0], n);
    });
  }
  until_stopped([&](std::uint64_t k) {
    const std::vector<std::uint32_t> x(k % 200 + 1, 1);
    const std::vector<Input> inputs{as_input(x)};
    EXPECT_TRUE(runtime.launch(same_for_every_tile(), {.inputs = inputs}));
  });
  until_stopped([&](std::uint64_t) {
    EXPECT_TRUE(runtime.cache().save());
    std::this_thread::yield();
  });
  until_stopped([&](std::uint64_t k) {
    runtime.cache().declare_space(fingerprint, k % 2 == 0 ? "even" : "odd");
    std::this_thread::yield();
  });
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    const std::uint64_t n = round * 7 % 200 + 1;
    runtime.cache().offer(key_of(fingerprint, Shape{n, n, n}), decision(n, round));
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(runtime.cache().save());
  const auto again = DecisionCache::open({.adapter = safe_name(open_null()->info()),
                                          .folder = folder / "tuner",
                                          .identity = runtime.cache().identity()});
  EXPECT_EQ(again.size(), runtime.cache().size());
}

}  // namespace
}  // namespace vyre
