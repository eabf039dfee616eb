// Decisions as hints: for the same program, and for earlier texts of its kernel.

#include "tune/hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/tuned_programs.h"

namespace vyre {
namespace {

using ::testing::ElementsAre;

class HintsFromDecisions : public ::testing::Test {
 protected:
  void remember(std::string program, const ir::Fingerprint& fingerprint, Config config,
                std::optional<RunnerUp> runner_up = {}) {
    const Decision decision{.program = std::move(program),
                            .fingerprint = fingerprint,
                            .shape = {300},
                            .config = std::move(config),
                            .elapsed = {.ns = 100},
                            .samples = 5,
                            .runner_up = std::move(runner_up)};
    cache_.offer(key_of(fingerprint, decision.shape), decision);
  }

  // The configurations that the hints name, the best of each first.
  std::vector<std::vector<std::string>> hinted() const {
    std::vector<std::vector<std::string>> out;
    for (const Hint& hint : hints_from(cache_, problem_)) {
      auto& configs = out.emplace_back();
      for (const auto& time : hint.times) {
        configs.push_back(to_string(problem_.space.config_at(time.index)));
      }
    }
    return out;
  }

  static ir::Fingerprint of_earlier_text() {
    ir::Fingerprint out{};
    out.fill(7);
    return out;
  }

  Problem problem_{.name = "busy",
                   .sequence = testing::busy_program(),
                   .space = testing::busy_space(),
                   .former_names = {{"block", "width"}}};
  DecisionCache cache_ = DecisionCache::open({});
};

TEST_F(HintsFromDecisions, TheSameProgramAnswers) {
  remember("busy", problem_.sequence.fingerprint(), {{"work", 64}, {"block", 32}});
  EXPECT_THAT(hinted(), ElementsAre(ElementsAre("work=64, block=32")));
}

TEST_F(HintsFromDecisions, AnEarlierTextOfTheKernelAnswersUnderItsFormerNames) {
  remember("busy", of_earlier_text(), {{"work", 64}, {"width", 32}},
           RunnerUp{{{"work", 256}, {"width", 16}}, {.ns = 120}});
  EXPECT_THAT(hinted(), ElementsAre(ElementsAre("work=64, block=32", "work=256, block=16")));
}

TEST_F(HintsFromDecisions, AnEarlierTextMayHaveTodaysNames) {
  remember("busy", of_earlier_text(), {{"work", 1}, {"block", 16}});
  EXPECT_THAT(hinted(), ElementsAre(ElementsAre("work=1, block=16")));
}

TEST_F(HintsFromDecisions, OthersSayNothing) {
  remember("another", of_earlier_text(), {{"work", 64}, {"block", 32}});
  EXPECT_TRUE(hinted().empty()) << "another program";
  remember("busy", of_earlier_text(), {{"work", 64}, {"height", 32}});
  EXPECT_TRUE(hinted().empty()) << "a name that no parameter ever had";
}

}  // namespace
}  // namespace vyre
