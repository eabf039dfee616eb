// The server goes and comes back. Applications notice nothing, and what was pending arrives.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/fleet_database.h"
#include "agent/own_problems.h"
#include "agent/shared_decisions.h"
#include "testing/soak.h"
#include "testing/tuned_programs.h"
#include "vyre/runtime.h"

namespace vyre::agent {
namespace {

using testing::becomes_true;
using testing::busy_program;
using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;

class AwayTest : public testing::AgentTest {
 protected:
  SharedDecision busy(std::uint64_t n) const {
    const std::vector<std::uint64_t> shape{n, n};
    Decision decided = testing::decision(1);
    decided.program = "busy";
    decided.fingerprint = busy_program().fingerprint();
    decided.shape = shape;
    decided.config = {{"block", std::int64_t{4}}, {"work", std::int64_t{1}}};
    decided.space = digest_of(testing::busy_space());
    return {.adapter = safe_name(device_->info()),
            .identity = identity_of(device_->info()),
            .key = key_of(decided.fingerprint, shape),
            .decision = std::move(decided)};
  }

  void decide_locally(const SharedDecision& one) const {
    auto cache = DecisionCache::open({.adapter = one.adapter,
                                      .folder = node("a") / "cache/vyre/tuner",
                                      .identity = one.identity});
    cache.offer(one.key, one.decision);
    EXPECT_TRUE(cache.save());
  }

  std::shared_ptr<Device> device_ = open_reference({.threads = 1});
};

TEST_F(AwayTest, ApplicationsNoticeNothingAndWhatWasPendingArrives) {
  ASSERT_EQ(store("tuner").publish(busy(8)), true);
  const auto fleet = node("a") / "fleet";
  const auto serving = agent_beside("a", "tuner",
                                    {"serve", "--folder", fleet.string(), "--wishes",
                                     (node("a") / "wishes").string(), "--poll", "0.2"});
  const auto file = fleet / file_name_of(safe_name(device_->info()));
  ASSERT_TRUE(becomes_true([&] { return std::filesystem::exists(file); })) << serving->output();
  auto runtime = Runtime::open(device_, {.files = {.fleet_folder = fleet}});
  ASSERT_TRUE(runtime);
  ASSERT_TRUE(runtime->declare(busy_program(), {.space = testing::busy_space()}));
  const std::vector<std::uint64_t> shape{8, 8};
  ASSERT_EQ(runtime->resolve(busy_program(), shape).source, Source::decision);
  const Config served = runtime->config_of(busy_program(), runtime->resolve(busy_program(), shape));
  const std::string content = testing::text_of(file);

  server().stop();
  const auto until = Clock::now() + std::chrono::seconds(testing::cases(3, 600));
  decide_locally(busy(16));
  ASSERT_TRUE(save_wishes(node("a") / "wishes", std::array{testing::wish(1)}));
  std::size_t launches = 0;
  std::size_t errors = 0;
  std::size_t changes = 0;
  const std::vector<std::uint32_t> x = testing::words(8);
  const std::vector<Input> inputs{as_input(x)};
  while (Clock::now() < until) {
    if (!runtime->cache().refresh()) ++errors;
    const Resolved resolved = runtime->resolve(busy_program(), shape);
    if (resolved.source != Source::decision) ++changes;
    if (runtime->config_of(busy_program(), resolved) != served) ++changes;
    if (!runtime->launch(busy_program(), Call{.inputs = inputs})) ++errors;
    ++launches;
    std::this_thread::sleep_for(Milliseconds(1));
  }
  EXPECT_EQ(errors, 0U);
  EXPECT_EQ(changes, 0U);
  EXPECT_EQ(testing::text_of(file), content);
  EXPECT_TRUE(serving->is_running());
  EXPECT_THAT(serving->output(), HasSubstr("the server "));

  server().start();
  const auto begin = Clock::now();
  EXPECT_TRUE(becomes_true([&] {
    return ask("select count(*) from vyre.decision") == "2" &&
           ask("select count(*) from vyre.wish") == "1";
  })) << serving->output();
  fmt::print(
      "server away for {} s: {} launches, {} errors, {} changes; all arrived {:.1f} s later\n",
      testing::cases(3, 600), launches, errors, changes,
      std::chrono::duration<double>(Clock::now() - begin).count());
  ASSERT_TRUE(becomes_true([&] { return testing::text_of(file) != content; }));
  EXPECT_TRUE(runtime->cache().refresh());
  EXPECT_EQ(runtime->resolve(busy_program(), std::vector<std::uint64_t>{16, 16}).source,
            Source::decision);
  EXPECT_EQ(serving->stop(), 0);
  // Each state is told once, not once per attempt.
  const std::string told = serving->output();
  EXPECT_LE(std::ranges::count(told, '\n'), 12) << told;
}

// The campaign goes on, and its answer is sent when the server is back.
TEST_F(AwayTest, AnAnswerToAWishArrivesLater) {
  if (!testing::soaking()) GTEST_SKIP() << "takes 9 s: in make soak";
  std::filesystem::create_directory(folder_ / "problems");
  const std::filesystem::path file = folder_ / "problems/slow.vyre";
  testing::write_text(file, testing::kSlow);
  ASSERT_EQ(store("wisher").post(*wish_for(*load_chain(file), open_reference({})->info())), true);
  const auto tuning =
      agent_beside("a", "tuner",
                   {"tune", "--problems", (folder_ / "problems").string(), "--device", "reference",
                    "--evaluations", "4", "--budget", "0"});
  // On a fast machine it may be done when the test looks.
  ASSERT_TRUE(becomes_true([&] {
    return ask("select (select count(*) from vyre.claim) + (select count(*) from vyre.decision)") ==
           "1";
  }));
  server().stop();
  EXPECT_TRUE(becomes_true([&] { return tuning->output().contains("the server "); }))
      << tuning->output();
  server().start();
  EXPECT_TRUE(becomes_true([&] { return ask("select count(*) from vyre.decision") == "1"; }))
      << tuning->output();
  EXPECT_EQ(ask("select count(*) from vyre.wish"), "0");
  EXPECT_EQ(tuning->stop(), 0) << tuning->output();
}

// Without a server at the start, the file that an earlier session left stays.
TEST_F(AwayTest, AnAgentThatStartsBeforeItsServerWaitsForIt) {
  ASSERT_EQ(store("tuner").publish(busy(8)), true);
  const auto fleet = node("a") / "fleet";
  const auto file = fleet / file_name_of(safe_name(device_->info()));
  testing::write_text(file, "schema = 3\n");
  server().stop();
  const auto serving = agent_beside("a", "reader", {"serve", "--folder", fleet.string()});
  EXPECT_TRUE(becomes_true([&] { return serving->output().contains("cannot be reached"); }));
  EXPECT_EQ(testing::text_of(file), "schema = 3\n");
  const auto sync = agent("a", "reader", {"sync", "--folder", fleet.string()});
  EXPECT_EQ(sync.exit_code, 1);
  EXPECT_THAT(sync.err, HasSubstr("the server cannot be reached: "));
  EXPECT_EQ(testing::text_of(file), "schema = 3\n");
  server().start();
  EXPECT_TRUE(becomes_true([&] { return testing::text_of(file) != "schema = 3\n"; }))
      << serving->output();
  EXPECT_EQ(serving->stop(), 0);
}

}  // namespace
}  // namespace vyre::agent
