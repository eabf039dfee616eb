// A campaign on nodes whose coordinator is killed anywhere: the journal has all that was measured,
// and nothing of it is measured again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/json_value.h"
#include "fleet/nodes.h"
#include "nodes/recorded.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "tune/campaign.h"

namespace vyre::fleet {
namespace {

// Pieces of work by step and row.
using Counts = std::map<std::pair<int, std::uint64_t>, int>;

class ResumedTest : public ::testing::Test {
 protected:
  Expected<CampaignReport> tune(const std::filesystem::path& log,
                                std::uintmax_t most_bytes = ~std::uintmax_t{0}) {
    VYRE_TRY(Fleet fleet,
             Fleet::start({.launcher = "env",
                           .program = VYRE_REPLAY_NODE,
                           .arguments = {fmt::format("log={}", log.string()), "sleep_ms=3"},
                           .nodes = 2}));
    VYRE_TRY(const auto nodes, evaluate_on_nodes(fleet, problem_, {}));
    return run_campaign({.name = "recorded",
                         .identity = "recorded",
                         .space = problem_.space,
                         .default_index = problem_.default_index},
                        *nodes,
                        {.budget = {.seconds = 0, .evaluations = 30},
                         .journal = journal_,
                         .on_progress = [&](const Progress&) {
                           if (std::filesystem::file_size(journal_) >= most_bytes) ::raise(SIGKILL);
                           return true;
                         }});
  }

  // In another process, which is killed when its journal has so many bytes: anywhere, or, if this
  // process is too slow for that, by itself after the next configuration.
  void tune_until(std::uintmax_t bytes) {
    const pid_t coordinator = ::fork();
    if (coordinator == 0) ::_exit(tune(folder_ / "killed.log", bytes) ? 0 : 1);
    std::error_code ignored;
    while (::waitpid(coordinator, nullptr, WNOHANG) == 0) {
      const auto size = std::filesystem::file_size(journal_, ignored);
      if (ignored || size < bytes) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        continue;
      }
      ::kill(coordinator, SIGKILL);
      ::waitpid(coordinator, nullptr, 0);
      return;
    }
  }

  bool is_finished() const {
    std::ifstream in(journal_);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    return text.ends_with("{\"finished\":true}\n");
  }

  // Answers in the journal, but for a torn last line.
  Counts journalled() const {
    Counts out;
    std::ifstream in(journal_);
    for (std::string line; std::getline(in, line);) {
      const Json json = Json::parse(line, nullptr, false);
      if (!json.is_object() || !json.contains("event")) continue;
      const auto* const step = std::ranges::find(kSteps, json["event"].get<std::string>());
      if (step == std::end(kSteps)) continue;
      ++out[{static_cast<int>(step - std::begin(kSteps)), json["index"].get<std::uint64_t>()}];
    }
    return out;
  }

  static Counts measured(const std::filesystem::path& log) {
    Counts out;
    std::ifstream in(log);
    std::uint64_t row = 0;
    for (int step = 0; in >> step >> row;) ++out[{step, row}];
    return out;
  }

  static constexpr std::string_view kSteps[] = {"admit", "sample", "race", "pair"};

  testing::TemporaryFolder folder_;
  std::filesystem::path journal_ = folder_ / "journal";
  Replay replay_ = *Replay::make(testing::noisy_landscape());
  Problem problem_ = testing::recorded_problem(replay_);
};

TEST_F(ResumedTest, NothingThatIsJournalledIsMeasuredAgain) {
  ASSERT_TRUE(tune(folder_ / "whole.log"));
  const std::uintmax_t whole = std::filesystem::file_size(journal_);
  const Counts all = journalled();
  const std::uint64_t points = testing::cases(2, 110);
  std::uint64_t killed = 0;
  for (std::uint64_t k = 0; k < points; ++k) {
    std::filesystem::remove(journal_);
    tune_until((k + 1) * whole / (points + 2));
    if (is_finished()) continue;  // the campaign was faster
    const Counts before = journalled();
    ++killed;
    const std::filesystem::path log = folder_ / fmt::format("{}.log", k);
    const auto report = tune(log);
    ASSERT_TRUE(report) << report.error().message;
    const Counts after = journalled();
    EXPECT_EQ(after, all) << k;
    for (const auto& [work, count] : measured(log)) {
      const auto known = before.find(work);
      const int was = known == before.end() ? 0 : known->second;
      EXPECT_LE(count, after.at(work) - was) << "point " << k << ", step " << work.first << " of "
                                             << work.second << " was measured again";
    }
  }
  fmt::print("{} of {} campaigns were killed\n", killed, points);
  EXPECT_GT(killed, 0U);
}

}  // namespace
}  // namespace vyre::fleet
