// Decisions and wishes that go from one machine through the server to another.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/fleet_database.h"
#include "agent/own_problems.h"
#include "agent/shared_decisions.h"
#include "vyre/runtime.h"

namespace vyre::agent {
namespace {

using testing::becomes_true;
using testing::decision;
using ::testing::HasSubstr;
using testing::key;
using testing::shared;
using testing::wish;

constexpr const char* kDouble = R"(
program double_it {
  shape n: u32 = 4096u
  tunable block: u32 = 64u in 16u, 64u, 256u
  read x: u32[n]
  write y: u32[n]
  workgroup [block]
  grid [(n + block - 1u) / block]

  let i: u32 = global_id(0)
  if i < n {
    y[i] = 2u * x[i]
  }
}
)";

class ExchangeTest : public testing::AgentTest {
 protected:
  // As if an application of that machine had tuned it.
  void decide(const std::string& name, std::uint64_t n, std::uint32_t samples) const {
    auto cache = DecisionCache::open({.adapter = "gpu",
                                      .folder = node(name) / "cache/vyre/tuner",
                                      .identity = testing::today()});
    cache.offer(key(n), decision(static_cast<std::int64_t>(n), samples));
    const auto saved = cache.save();
    EXPECT_TRUE(saved) << saved.error().message;
  }

  std::string sync(const std::string& name, const std::string& user) const {
    const auto done = agent(name, user,
                            {"sync", "--folder", (node(name) / "fleet").string(), "--wishes",
                             (node(name) / "wishes").string()});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return done.out + done.err;
  }

  // The samples of the decision that an application of that machine gets; 0: it gets none.
  std::uint32_t served(const std::string& name, std::uint64_t n) const {
    auto cache = DecisionCache::open(testing::fleet_cache(node(name) / "fleet"));
    const DecisionRef found = cache.find(key(n));
    if (!found) return 0;
    EXPECT_EQ(cache.entry(found).layer, Layer::fleet);
    EXPECT_FALSE(found.is_seed());
    return cache.read(found).samples;
  }
};

TEST_F(ExchangeTest, ADecisionGoesFromOneMachineToAnother) {
  decide("a", 64, 10);
  EXPECT_EQ(sync("a", "tuner"),
            "0 decisions pulled into 0 new files, 1 published, 0 wishes posted\n");
  EXPECT_EQ(sync("b", "reader"),
            "1 decisions pulled into 1 new files, 0 published, 0 wishes posted\n");
  EXPECT_EQ(served("b", 64), 10U);
  EXPECT_EQ(sync("b", "reader"),
            "1 decisions pulled into 0 new files, 0 published, 0 wishes posted\n");
  // A machine may keep its decisions to itself, or have no right to publish.
  decide("b", 65, 10);
  EXPECT_THAT(sync("b", "reader"), HasSubstr(", 0 published"));
  EXPECT_EQ(ask("select count(*) from vyre.decision"), "1");
}

// The same order as in files: evidence, superseded decisions, hash.
TEST_F(ExchangeTest, TheGreaterDecisionStays) {
  for (const std::uint32_t samples : {20U, 10U, 30U, 30U}) {
    decide("node" + std::to_string(samples), 64, samples);
    sync("node" + std::to_string(samples), "tuner");
  }
  sync("b", "reader");
  EXPECT_EQ(served("b", 64), 30U);
  EXPECT_EQ(ask("select revision from vyre.schema"), "2");
  Store store = this->store("tuner");
  SharedDecision one = shared(1);
  SharedDecision two = shared(1);
  two.decision.strategy = "random";
  const bool first = *store.publish(one);
  const bool second = *store.publish(two);
  const bool again = *store.publish(one);
  EXPECT_TRUE(first);
  EXPECT_FALSE(again);
  EXPECT_EQ(second, (*to_row(two))[5] > (*to_row(one))[5]);
}

// With an hour between two looks, only a notification can be the reason.
TEST_F(ExchangeTest, ANotificationBringsADecisionAtOnce) {
  const auto serving = agent_beside(
      "b", "reader", {"serve", "--folder", (node("b") / "fleet").string(), "--poll", "3600"});
  ASSERT_TRUE(becomes_true([&] { return serving->output().contains("connected"); }));
  ASSERT_EQ(store("tuner").publish(shared(64)), true);
  EXPECT_TRUE(becomes_true([&] { return served("b", 64) == 10; })) << serving->output();
  EXPECT_EQ(serving->stop(), 0);
  EXPECT_THAT(serving->output(), HasSubstr("1 decisions pulled, 0 published"));
}

TEST_F(ExchangeTest, DecisionsThatAreDeletedOnTheServerGo) {
  Store tuner = store("tuner");
  Store reader = store("reader");
  Mirror mirror;
  for (std::uint64_t n = 1; n <= 450; ++n) ASSERT_EQ(tuner.publish(shared(n)), true);
  EXPECT_EQ(reader.pull(mirror)->rows, 450U);  // in pages
  EXPECT_EQ(reader.pull(mirror)->rows, 0U);
  ASSERT_TRUE(session("admin").run("delete from vyre.decision where revision <= 50"));
  EXPECT_EQ(reader.pull(mirror)->rows, 400U);
  EXPECT_EQ(mirror.rows(), 400U);
  // The database was restored from an older copy.
  ASSERT_TRUE(session("admin").run(
      "delete from vyre.decision where revision > 60; update vyre.schema set revision = 60"));
  ASSERT_EQ(tuner.publish(shared(1000)), true);
  EXPECT_TRUE(reader.pull(mirror));
  EXPECT_EQ(mirror.rows(), 11U);
  EXPECT_NE(mirror.find("gpu", {id_of(testing::today()), to_string(key(1000))}), nullptr);
}

TEST_F(ExchangeTest, AWrongRowHarmsNoOther) {
  Store tuner = store("tuner");
  for (std::uint64_t n = 1; n <= 3; ++n) ASSERT_EQ(tuner.publish(shared(n)), true);
  ASSERT_TRUE(
      session("admin").run("update vyre.decision set entry = 'nonsense' where revision = 1;"
                           "update vyre.decision set evidence = 4294967295 where revision = 2"));
  const std::string told = sync("b", "reader");
  EXPECT_THAT(told, HasSubstr("is skipped: its columns say something else than its entry"));
  EXPECT_EQ(served("b", 1) + served("b", 2), 0U);
  EXPECT_EQ(served("b", 3), 10U);
}

TEST_F(ExchangeTest, WishesOfApplicationsArrive) {
  ASSERT_TRUE(save_wishes(node("a") / "wishes", std::array{wish(1), wish(2)}));
  testing::write_text(node("a") / "wishes/odd.jsonl", "{\"key\": 1}\n");
  const std::string told = sync("a", "wisher");
  EXPECT_THAT(told, HasSubstr("2 wishes posted"));
  EXPECT_THAT(told, HasSubstr("odd.jsonl\": line 1: "));
  EXPECT_EQ(ask("select count(*) from vyre.wish"), "2");
  std::vector<std::string> left;
  for (const auto& one : std::filesystem::directory_iterator(node("a") / "wishes")) {
    left.push_back(one.path().filename());
  }
  EXPECT_EQ(left, std::vector<std::string>{"odd.jsonl"});
  // A reader leaves them for somebody who may post them.
  ASSERT_TRUE(save_wishes(node("b") / "wishes", std::array{wish(3)}));
  EXPECT_THAT(sync("b", "reader"), HasSubstr("0 wishes posted"));
  EXPECT_FALSE(std::filesystem::is_empty(node("b") / "wishes"));
}

class WishesTest : public ExchangeTest {
 protected:
  WishesTest() {
    std::filesystem::create_directory(folder_ / "problems");
    testing::write_text(file_, kDouble);
    testing::write_text(folder_ / "problems/other.json", "{}");
  }

  testing::CommandResult tune(const std::string& name) const {
    return agent(name, "tuner",
                 {"tune", "--problems", (folder_ / "problems").string(), "--device", "reference",
                  "--evaluations", "3", "--budget", "0", "--once"});
  }
  testing::CommandResult wish_for(const std::vector<std::string>& words) const {
    std::vector<std::string> all{"wish", "--device", "reference"};
    all.insert(all.end(), words.begin(), words.end());
    return agent("a", "wisher", all);
  }

  const std::filesystem::path file_ = folder_ / "problems/double.vyre";
};

// Machine a wishes, machine b tunes, machine a launches what was decided.
TEST_F(WishesTest, AreTunedByAnotherMachine) {
  const auto posted = wish_for({file_.string(), "--size", "n=1000"});
  ASSERT_EQ(posted.exit_code, 0) << posted.err;
  EXPECT_THAT(posted.out, HasSubstr(" double_it 1000x1000x1000\n"));
  EXPECT_THAT(wish_for({file_.string(), "--size", "n=1000"}).out, HasSubstr("(was there)"));
  const auto tuned = tune("b");
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_EQ(tuned.out, "1 wishes answered, 0 taken over by others, 0 failed\n") << tuned.err;
  EXPECT_THAT(tuned.err, HasSubstr("other.json"));
  EXPECT_EQ(ask("select count(*) from vyre.wish"), "0");
  EXPECT_EQ(ask("select count(*) from vyre.claim"), "0");

  sync("a", "reader");
  auto runtime =
      Runtime::open(open_reference({}), {.files = {.fleet_folder = node("a") / "fleet"}});
  ASSERT_TRUE(runtime);
  const auto problem = load_chain(file_);
  ASSERT_TRUE(runtime->declare(problem->sequence, {.space = problem->space}));
  const Resolved resolved =
      runtime->resolve(problem->sequence, std::array<std::uint64_t, 3>{1000, 1000, 1000});
  EXPECT_EQ(resolved.source, Source::decision);
  // The key alone is enough to wish for it again.
  const std::string key = posted.out.substr(0, posted.out.find(' '));
  const auto again = wish_for({key, "--folder", (node("a") / "fleet").string()});
  EXPECT_EQ(again.out, posted.out) << again.err;
}

// From the runtime's own list to a decision, without a file of the problem on the wishing machine.
TEST_F(WishesTest, OfARuntimeAreTuned) {
  auto runtime =
      Runtime::open(open_reference({}), {.files = {.fleet_folder = node("a") / "fleet"}});
  ASSERT_TRUE(runtime);
  const auto problem = load_chain(file_);
  ASSERT_TRUE(runtime->declare(problem->sequence, {.space = problem->space}));
  const std::vector<std::uint32_t> x(512, 3);
  const std::vector<Input> inputs{as_input(x)};
  ASSERT_TRUE(runtime->launch(problem->sequence, Call{.inputs = inputs}));
  const auto alone = [](std::string_view mine) -> Expected<std::vector<std::string>> {
    return std::vector<std::string>{std::string(mine)};
  };
  const auto agreement = runtime->agree(alone);
  ASSERT_TRUE(agreement);
  ASSERT_EQ(agreement->wishes.size(), 1U);
  ASSERT_TRUE(save_wishes(node("a") / "wishes", agreement->wishes));
  EXPECT_THAT(sync("a", "wisher"), HasSubstr("1 wishes posted"));
  EXPECT_EQ(tune("b").out, "1 wishes answered, 0 taken over by others, 0 failed\n");
  sync("a", "reader");
  ASSERT_EQ(runtime->cache().refresh(), true);
  ASSERT_TRUE(runtime->agree(alone));
  const Resolved resolved = runtime->resolve(problem->sequence, agreement->wishes[0].shape);
  EXPECT_EQ(resolved.source, Source::decision);
}

TEST_F(WishesTest, OfUnknownProgramsAndDevicesStay) {
  ASSERT_EQ(store("wisher").post(wish(1)), true);  // another device
  Wish unknown = wish(2);
  unknown.identity = id_of(identity_of(open_reference({})->info()));
  ASSERT_EQ(store("wisher").post(unknown), true);
  // A known program in sizes that it cannot have: the buffers do not follow from n.
  Wish impossible = *agent::wish_for(*load_chain(file_), open_reference({})->info());
  impossible.shape = {1, 2, 3};
  impossible.key = key_of(impossible.fingerprint, impossible.shape);
  ASSERT_EQ(store("wisher").post(impossible), true);
  const auto tuned = tune("b");
  EXPECT_EQ(tuned.out, "0 wishes answered, 0 taken over by others, 1 failed\n") << tuned.err;
  EXPECT_THAT(tuned.err, HasSubstr("no sizes of it give the shape of the wish"));
  EXPECT_EQ(ask("select count(*) from vyre.wish"), "3");
  EXPECT_EQ(ask("select count(*) from vyre.claim"), "0");
}

TEST_F(WishesTest, WordsThatMakeNoSenseAreRefused) {
  struct Case {
    std::vector<std::string> words;
    int exit_code;
    const char* message;
  };
  const std::string nobody = "v2-" + std::string(64, '0');
  const Case cases[] = {
      {{"wish"}, 1, "nothing to wish for"},
      {{"wish", nobody}, 1, "no decision of another device tells what this key is about"},
      {{"wish", "v2-1"}, 1, "v2-"},
      {{"wish", "--from", "no-such-file"}, 1, "no-such-file"},
      {{"wish", file_.string(), "--size", "n"}, 1, "write it as NAME=NUMBER"},
      {{"tune"}, 2, "--problems is required"},
      {{"tune", "--problems", "/no/such"}, 1, "--problems \"/no/such\": No such file"},
      {{"tune", "--problems", "/tmp", "--budget", "0"}, 1, "the budget is empty"},
      {{"sync", "--folder", "/no/such"}, 1, "there is no such folder; make it"},
      {{"serve", "--folder", "/no/such"}, 1, "there is no such folder; make it"},
      {{"fly"}, 2, "see vyre-agent --help"},
  };
  for (const Case& one : cases) {
    const auto done = agent("a", "tuner", one.words);
    EXPECT_EQ(done.exit_code, one.exit_code) << done.err;
    EXPECT_THAT(done.err, HasSubstr(one.message));
  }
}

}  // namespace
}  // namespace vyre::agent
