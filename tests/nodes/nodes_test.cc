// Campaigns on nodes that are real processes, whose devices are recorded: what they decide, and
// what becomes of nodes that die, hang, or are of another kind.

#include "fleet/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/json_value.h"
#include "nodes/recorded.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "tune/campaign.h"
#include "tune/suspect.h"
#include "tune/worker/workers.h"

namespace vyre::fleet {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct Crowd {
  std::vector<std::string> arguments = {};
  std::uint32_t nodes = 1;
  std::string launcher = "env";
  Timing timing = {};
};

class NodesTest : public ::testing::Test {
 protected:
  Expected<Fleet> start(const Crowd& crowd) {
    return Fleet::start({.launcher = crowd.launcher,
                         .program = VYRE_REPLAY_NODE,
                         .arguments = crowd.arguments,
                         .nodes = crowd.nodes,
                         .timing = crowd.timing,
                         .events = [this](const Event& e) { events_.push_back(e.message); }});
  }

  struct Ran {
    CampaignReport report;
    std::string journal;  // without times
  };

  Expected<Ran> campaign(const Crowd& crowd, std::uint64_t seed = 1, std::uint64_t evaluations = 40,
                         std::uint32_t in_flight = kInFlight) {
    VYRE_TRY(Fleet fleet, start(crowd));
    VYRE_TRY(const auto nodes, evaluate_on_nodes(fleet, problem_, {.in_flight = in_flight}));
    const std::filesystem::path journal = folder_ / "journal";
    std::filesystem::remove(journal);
    VYRE_TRY(CampaignReport report,
             run_campaign(task(), *nodes,
                          {.seed = seed,
                           .budget = {.seconds = 0, .evaluations = evaluations},
                           .journal = journal}));
    return Ran{std::move(report), without_times(journal)};
  }

  // A configuration that a campaign of seed 1 tries, and that does not win.
  std::uint64_t tried_loser() {
    const auto healthy = campaign({.nodes = 2});
    EXPECT_TRUE(healthy) << healthy.error().message;
    std::uint64_t out = 0;
    for (const Standing& standing : healthy->report.standings) {
      const std::uint64_t id = standing.candidate.id;
      if (id != healthy->report.best && id != problem_.default_index) out = id;
    }
    return out;
  }

  SearchTask task() const {
    return {.name = "recorded",
            .identity = "recorded",
            .space = problem_.space,
            .default_index = problem_.default_index};
  }

  static std::string without_times(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string out;
    for (std::string line; std::getline(in, line);) {
      Json json = Json::parse(line, nullptr, false);
      for (const char* time : {"at", "unix_ms", "search_s"}) json.erase(time);
      out += json.dump() + "\n";
    }
    return out;
  }

  // Without their numbers, and without what was begun.
  static std::string answers_of(const std::string& journal) {
    std::istringstream in(journal);
    std::string out;
    for (std::string line; std::getline(in, line);) {
      Json json = Json::parse(line, nullptr, false);
      json.erase("n");
      if (json.value("event", "") != "begin") out += json.dump() + "\n";
    }
    return out;
  }

  std::vector<pid_t> nodes_in(const std::filesystem::path& folder) const {
    std::vector<pid_t> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      out.push_back(static_cast<pid_t>(std::stoi(entry.path().filename().string())));
    }
    return out;
  }

  testing::TemporaryFolder folder_;
  Replay replay_ = *Replay::make(testing::noisy_landscape());
  Problem problem_ = testing::recorded_problem(replay_);
  std::vector<std::string> events_;
};

bool is_there(pid_t process) { return ::kill(process, 0) == 0; }

TEST_F(NodesTest, TheJournalIsTheSameForAnyNumberOfNodesAndAnyKills) {
  std::ptrdiff_t all_deaths = 0;
  for (std::uint64_t seed = 1; seed <= testing::cases(2, 50); ++seed) {
    const auto one = campaign({}, seed);
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_THAT(one->journal, HasSubstr("in_flight=8"));
    EXPECT_GT(one->report.gain(), 1.5);
    for (const std::uint32_t nodes : {2U, 4U}) {
      const std::filesystem::path deaths_folder = folder_ / fmt::format("{}-{}", seed, nodes);
      const std::filesystem::path graves = deaths_folder / "graves";
      std::filesystem::create_directories(graves);
      std::filesystem::create_directory(deaths_folder / "started");
      events_.clear();
      const auto many = campaign(
          {.arguments = {fmt::format("mourn={}", deaths_folder.string()),
                         fmt::format("salt={}", 10 * seed + nodes), "one_in=15", "sleep_ms=10"},
           .nodes = nodes},
          seed);
      ASSERT_TRUE(many) << many.error().message;
      EXPECT_EQ(many->journal, one->journal) << nodes << " nodes, seed " << seed;
      EXPECT_EQ(many->report.best, one->report.best);
      const auto deaths = std::distance(std::filesystem::directory_iterator(graves), {});
      EXPECT_EQ(
          std::ranges::count_if(
              events_, [](const std::string& e) { return e.find("is lost") != std::string::npos; }),
          deaths);
      all_deaths += deaths;
    }
  }
  EXPECT_GT(all_deaths, 0);
  fmt::print("{} nodes died\n", all_deaths);
}

TEST_F(NodesTest, ACandidateThatLosesTwoNodesIsSuspectAndNoOtherFails) {
  const std::uint64_t fatal = tried_loser();
  const auto ran = campaign({.arguments = {fmt::format("fatal={}", fatal)}, .nodes = 3});
  ASSERT_TRUE(ran) << ran.error().message;
  std::vector<std::string> suspects;
  for (const Failure& failure : ran->report.failures) {
    if (!is_suspect(failure.why)) continue;
    EXPECT_EQ(failure.index, fatal);
    EXPECT_EQ(failure.status, Status::runtime);
    suspects.push_back(failure.why);
  }
  ASSERT_EQ(suspects.size(), 1U);
  EXPECT_THAT(suspects[0], AllOf(HasSubstr("suspect: node "), HasSubstr(" were lost while")));
}

TEST_F(NodesTest, ANodeThatStandsStillIsLostAndItsWorkDoneElsewhere) {
  const std::filesystem::path pids = folder_ / "pids";
  std::filesystem::create_directory(pids);
  const auto ran = campaign({.arguments = {"beat_ms=100", fmt::format("folder={}", pids.string()),
                                           fmt::format("mute={}", tried_loser())},
                             .nodes = 2,
                             .timing = {.beat = std::chrono::milliseconds(100),
                                        .lost = std::chrono::milliseconds(600),
                                        .grace = std::chrono::milliseconds(300)}});
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_THAT(events_, Contains(HasSubstr("it was silent for 0.6 s")));
  // Those that stood still are gone, too.
  for (const pid_t node : nodes_in(pids)) EXPECT_FALSE(is_there(node)) << node;
}

TEST_F(NodesTest, AFasterNodeDoesNotLookLikeAFasterCandidate) {
  const auto plain = campaign({.nodes = 1});
  const auto slow = campaign({.arguments = {"speed=2"}, .nodes = 1});
  ASSERT_TRUE(plain && slow);
  EXPECT_EQ(plain->report.best, slow->report.best);
  // Every other node is twice as slow: the same campaign as with equal ones.
  const std::filesystem::path parity = folder_ / "parity";
  std::ofstream(parity) << "#!/bin/sh\nif mkdir '" << (folder_ / "taken").string()
                        << "' 2>/dev/null; then exec \"$1\" speed=2; fi\nexec \"$1\" speed=4\n";
  std::filesystem::permissions(parity, std::filesystem::perms::owner_all);
  const auto mixed = campaign({.nodes = 2, .launcher = parity.string()});
  ASSERT_TRUE(mixed) << mixed.error().message;
  EXPECT_EQ(mixed->report.best, plain->report.best);
  EXPECT_NEAR(mixed->report.gain(), plain->report.gain(), 1e-9);
}

TEST_F(NodesTest, LaunchersThatCannotStartANodeSayWhy) {
  struct Case {
    const char* launcher;
    const char* message;
  };
  const Case cases[] = {
      {"false", "node 1 is lost: its stream has ended (its launcher ended with exit code 1)"},
      {"there-is-no-such-launcher", "(its launcher ended with exit code 127)"},
      {"sh -c 'kill -9 $$'", "(its launcher ended with signal 9)"},
      {"env 'a", "a quote is not closed"},
  };
  for (const Case& one : cases) {
    const auto fleet = start({.launcher = one.launcher});
    ASSERT_FALSE(fleet) << one.launcher;
    EXPECT_THAT(fleet.error().message, HasSubstr(one.message)) << one.launcher;
  }
}

// Some print before and beside the node's own bytes.
TEST_F(NodesTest, LaunchersMayPrintBeforeTheNodeSpeaks) {
  const auto ran =
      campaign({.nodes = 2,
                .launcher = "sh -c 'echo Welcome; head -c 3000 /dev/urandom; exec \"$0\" \"$@\"'"});
  ASSERT_TRUE(ran) << ran.error().message;
}

TEST_F(NodesTest, NothingIsLeftWhenTheFleetEnds) {
  const std::filesystem::path pids = folder_ / "pids";
  std::filesystem::create_directory(pids);
  {
    auto fleet = start({.arguments = {fmt::format("folder={}", pids.string())}, .nodes = 3});
    ASSERT_TRUE(fleet) << fleet.error().message;
    const auto nodes = evaluate_on_nodes(*fleet, problem_, {});
    ASSERT_TRUE(nodes) << nodes.error().message;
  }
  for (const pid_t node : nodes_in(pids)) EXPECT_FALSE(is_there(node)) << node;
}

// The coordinator is killed, with nobody to say goodbye.
TEST_F(NodesTest, NodesEndWithACampaignThatIsKilled) {
  const std::filesystem::path pids = folder_ / "pids";
  std::filesystem::create_directory(pids);
  const pid_t campaign_process = ::fork();
  if (campaign_process == 0) {
    auto fleet = start({.arguments = {fmt::format("folder={}", pids.string())}, .nodes = 2});
    const auto nodes = evaluate_on_nodes(*fleet, problem_, {});
    std::ofstream(folder_ / "ready") << nodes.has_value();
    for (;;) ::pause();
  }
  while (!std::filesystem::exists(folder_ / "ready")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(campaign_process, SIGKILL);
  ::waitpid(campaign_process, nullptr, 0);
  const std::vector<pid_t> nodes = nodes_in(pids);
  ASSERT_EQ(nodes.size(), 2U);
  for (int k = 0; k < 2000 && std::ranges::any_of(nodes, is_there); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  for (const pid_t node : nodes) EXPECT_FALSE(is_there(node)) << node;
}

TEST_F(NodesTest, AFleetThatIsLostEndsTheCampaignAndTheJournalGoesOn) {
  const auto whole = campaign({}, 1, 30, 1);
  ASSERT_TRUE(whole) << whole.error().message;
  const std::filesystem::path journal = folder_ / "resumed";
  const CampaignOptions options{.budget = {.seconds = 0, .evaluations = 30}, .journal = journal};
  {
    auto fleet = start({.arguments = {fmt::format("fatal={}", whole->report.best)}});
    ASSERT_TRUE(fleet) << fleet.error().message;
    const auto nodes = evaluate_on_nodes(*fleet, problem_, {.in_flight = 1});
    ASSERT_TRUE(nodes) << nodes.error().message;
    const auto report = run_campaign(task(), **nodes, options);
    ASSERT_FALSE(report);
    EXPECT_THAT(report.error().message, HasSubstr("no node is left: node 1 (here) is lost: "));
  }
  auto fleet = start({});
  const auto nodes = evaluate_on_nodes(*fleet, problem_, {.in_flight = 1});
  const auto report = run_campaign(task(), **nodes, options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GT(report->resumed, 0U);
  EXPECT_EQ(report->best, whole->report.best);
  // What was under way was begun once more; nothing else is new.
  EXPECT_EQ(answers_of(without_times(journal)), answers_of(whole->journal));
}

TEST_F(NodesTest, TheCallerMayStopItAtAnyTime) {
  auto fleet = start({});
  ASSERT_TRUE(fleet) << fleet.error().message;
  const auto nodes = evaluate_on_nodes(*fleet, problem_, {.on_wait = [](double) { return false; }});
  ASSERT_FALSE(nodes);
  EXPECT_TRUE(is_stop(nodes.error())) << nodes.error().message;
}

// Compiling takes real time here: as many nodes, so many times as fast.
TEST_F(NodesTest, FourNodesAreThreeTimesAsFastAsOne) {
  if (!testing::soaking()) GTEST_SKIP() << "takes ten seconds: in make soak";
  const auto seconds = [&](std::uint32_t nodes) {
    const auto ran = campaign({.arguments = {"sleep_ms=100"}, .nodes = nodes}, 1, 80);
    EXPECT_TRUE(ran) << ran.error().message;
    return ran ? ran->report.seconds : 0;
  };
  const double one = seconds(1);
  const double four = seconds(4);
  fmt::print("one node: {:.2f} s, four: {:.2f} s\n", one, four);
  EXPECT_GT(one, 3 * four);
}

}  // namespace
}  // namespace vyre::fleet
