// Campaigns on recorded devices: what they decide, when they stop, and that nothing is lost.

#include "tune/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "base/error.h"
#include "testing/landscapes.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "testing/tuned_programs.h"
#include "tune/hints.h"
#include "tune/in_process.h"
#include "tune/journal.h"
#include "tune/problem_call.h"
#include "vyre/builder.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

std::string contents(const std::filesystem::path& file) {
  std::ostringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();
  return out.str();
}

Replay replay(std::size_t workers = 1) {
  auto made = Replay::make(testing::noisy_landscape(), workers);
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

// The first that runs, as a programmer's first choice would.
std::uint64_t first_that_runs(const Replay& device) {
  for (std::uint64_t k = 0;; ++k) {
    if (device.recording().rows[k].status == Status::ok) return k;
  }
}

SearchTask task_on(const Replay& device) {
  return {.name = "small",
          .identity = "recorded",
          .space = device.space(),
          .default_index = first_that_runs(device)};
}

double true_ms(const Replay& device, std::uint64_t index) {
  return device.recording().rows[index].time_ms.value_or(1e9);
}

TEST(Campaign, FindsAConfigurationNearTheBestAndNeverASlowerOne) {
  double best = 1e9;
  for (const recording::Row& row : replay().recording().rows)
    best = std::min(best, row.time_ms.value_or(1e9));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Replay device = replay();
    const auto report = run_campaign(task_on(device), device,
                                     {.seed = seed, .budget = {.seconds = 0, .evaluations = 60}});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_LT(true_ms(device, report->best), best * 1.1);
    EXPECT_LE(report->elapsed.ns, report->default_elapsed.ns);
    EXPECT_GT(report->gain(), 1);
    EXPECT_LE(report->evaluations, 60U);
    EXPECT_EQ(report->standings.front().candidate.id, first_that_runs(device));
    for (const Failure& failure : report->failures) {
      EXPECT_NE(device.recording().rows[failure.index].status, Status::ok);
    }
  }
}

TEST(Campaign, StopsForEachReason) {
  Replay device = replay();
  const SearchTask task = task_on(device);
  const auto stopped = [&](CampaignOptions options) {
    Replay fresh = replay();
    const auto report = run_campaign(task, fresh, options);
    EXPECT_TRUE(report) << report.error().message;
    return report->stopped;
  };
  EXPECT_EQ(stopped({.budget = {.seconds = 0, .evaluations = 3}}), StopReason::budget);
  EXPECT_EQ(stopped({.budget = {.seconds = 1, .evaluations = 0}}), StopReason::budget);
  EXPECT_EQ(stopped({.budget = {.seconds = 1e9, .evaluations = 0}}), StopReason::converged);
  EXPECT_EQ(
      stopped({.budget = {.seconds = 1e9}, .on_progress = [](const Progress&) { return false; }}),
      StopReason::asked);
  EXPECT_EQ(to_string(StopReason::converged), "no further gain expected");
}

TEST(Campaign, AnExhaustiveOneRecordsTheWholeSpace) {
  Replay device = replay();
  const auto report =
      run_campaign(task_on(device), device, {.strategy = "exhaustive", .budget = {.seconds = 0}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->stopped, StopReason::exhausted);
  EXPECT_EQ(report->evaluations, device.space().size());
  std::size_t recorded = report->failures.size();
  for (const Standing& standing : report->standings) {
    if (standing.fate == Fate::failed) continue;
    ++recorded;
    EXPECT_GE(standing.samples_ns.size(), 3U) << standing.candidate.id;
    EXPECT_NEAR(standing.elapsed.ns / 1e6, true_ms(device, standing.candidate.id),
                0.03 * true_ms(device, standing.candidate.id));
  }
  EXPECT_EQ(recorded, device.space().size());
}

TEST(Campaign, RefusesWhatCannotWork) {
  Replay device = replay();
  SearchTask task = task_on(device);
  const auto message = [&](const CampaignOptions& options) {
    const auto report = run_campaign(task, device, options);
    return report ? std::string() : report.error().message;
  };
  EXPECT_EQ(message({.budget = {.seconds = 0}}),
            "small: the budget is empty; give seconds or evaluations");
  EXPECT_THAT(message({.strategy = "naturel"}), HasSubstr("naturel"));
  const testing::TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  EXPECT_THAT(message({.journal = folder.path() / "file" / "journal"}),
              HasSubstr("cannot write the journal"));
  for (std::uint64_t k = 0; k < device.recording().rows.size(); ++k) {
    if (device.recording().rows[k].status != Status::ok) task.default_index = k;
  }
  EXPECT_THAT(message({}), HasSubstr("nothing can be compared with it: mend it first"));
}

// Counts what is asked of the device itself.
class Counting final : public Evaluator {
 public:
  explicit Counting(Replay device) : device_(std::move(device)) {}
  std::size_t workers() const override { return device_.workers(); }
  Expected<void> start(const Work& work) override {
    ++started;
    return device_.start(work);
  }
  Expected<std::optional<Answer>> next(double until) override { return device_.next(until); }
  void give_up() override { device_.give_up(); }
  void recall(const Answer& answer) override { device_.recall(answer); }
  double now_seconds() const override { return device_.now_seconds(); }

  std::size_t started = 0;

 private:
  Replay device_;
};

// A process that is killed leaves a beginning of its journal: here, every beginning may be left.
// With several workers some answers were under way, and come in another order when they are asked
// for again.
class KilledCampaign : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Workers, KilledCampaign, ::testing::Values(1, 3));

TEST_P(KilledCampaign, ResumesToTheSameDecision) {
  const std::size_t workers = GetParam();
  const testing::TemporaryFolder folder;
  const CampaignOptions options{.budget = {.seconds = 0, .evaluations = 40},
                                .journal = folder / "journal.jsonl"};
  Counting whole(replay(workers));
  const SearchTask task = task_on(replay());
  const auto uninterrupted = run_campaign(task, whole, options);
  ASSERT_TRUE(uninterrupted) << uninterrupted.error().message;
  const std::string journal = contents(options.journal);
  const std::size_t finished = journal.rfind("{\"finished\"");
  ASSERT_NE(finished, std::string::npos);
  std::mt19937 random(1);
  for (std::uint32_t k = 0; k < testing::cases(50, 2000); ++k) {
    const std::string left = journal.substr(0, random() % (finished + 1));
    std::ofstream(options.journal, std::ios::binary) << left;
    Counting rest(replay(workers));
    const auto resumed = run_campaign(task, rest, options);
    ASSERT_TRUE(resumed) << resumed.error().message;
    if (workers > 1) {
      EXPECT_LT(true_ms(replay(), resumed->best), 1.3 * true_ms(replay(), uninterrupted->best));
      continue;
    }
    EXPECT_EQ(resumed->best, uninterrupted->best);
    EXPECT_EQ(resumed->elapsed, uninterrupted->elapsed);
    std::size_t known = 0;
    for (std::size_t at = left.find('\n'); at != std::string::npos; at = left.find('\n', at + 1)) {
      const std::size_t start = left.rfind('\n', at - 1) + 1;
      const std::string line = left.substr(start, at - start);
      known += line.find("compile_s") != std::string::npos;  // every answer has it
    }
    EXPECT_EQ(rest.started, whole.started - known);
  }
}

// With the same journal it asks the same questions, however many were under way.
TEST(Campaign, AWholeJournalAnswersAWholeCampaign) {
  const testing::TemporaryFolder folder;
  const CampaignOptions options{.budget = {.seconds = 2, .evaluations = 0},
                                .journal = folder / "journal.jsonl"};
  const SearchTask task = task_on(replay());
  Counting first(replay(3));
  const auto whole = run_campaign(task, first, options);
  ASSERT_TRUE(whole) << whole.error().message;
  std::string text = contents(options.journal);
  EXPECT_THAT(text, HasSubstr("\"begin\""));
  EXPECT_THAT(text, HasSubstr("\"pair\""));
  text.erase(text.find("{\"finished\""));
  std::ofstream(options.journal, std::ios::binary) << text;
  Counting none(replay(3));
  const auto again = run_campaign(task, none, options);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(none.started, 0U);
  EXPECT_EQ(again->best, whole->best);
  EXPECT_EQ(again->gained, whole->gained);
  EXPECT_EQ(again->resumed, whole->evaluations);
}

// Compiling takes 100 ms each: so many fit, side by side, and nothing is begun that cannot end.
TEST(Campaign, KeepsAllWorkersBusyAndWithinItsSeconds) {
  std::uint64_t before = 0;
  for (const std::size_t workers : {1U, 2U, 4U}) {
    Replay device = replay(workers);
    const auto report =
        run_campaign(task_on(device), device, {.strategy = "random", .budget = {.seconds = 1.5}});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_LE(report->seconds, 1.5);
    EXPECT_EQ(report->stopped, StopReason::budget);
    EXPECT_GT(static_cast<double>(report->evaluations), 1.6 * static_cast<double>(before));
    before = report->evaluations;
  }
}

// A device that the caller's own computing disturbs, with samples that warm up by themselves. Knows
// what was being timed when the campaign was last told something.
class Shared final : public Evaluator {
 public:
  explicit Shared(Replay device) : device_(std::move(device)) {}
  std::size_t workers() const override { return device_.workers(); }
  bool is_disturbed_by_caller() const override { return true; }
  bool is_warm() const override { return true; }
  Expected<void> start(const Work& work) override {
    if (work.step != Step::admit) timed.push_back(work);
    if (work.step == Step::admit && !timed_when_told.empty()) ++asked_while_timing;
    return device_.start(work);
  }
  Expected<std::optional<Answer>> next(double until) override {
    VYRE_TRY(auto answer, device_.next(until));
    if (answer) std::erase(timed, answer->work);
    timed_when_told = timed;
    return answer;
  }
  void give_up() override { device_.give_up(); }
  double now_seconds() const override { return device_.now_seconds(); }

  std::vector<Work> timed;
  std::vector<Work> timed_when_told;
  int asked_while_timing = 0;

 private:
  Replay device_;
};

TEST(Campaign, ThinksOfNothingWhileARunIsTimedOnItsOwnCores) {
  const testing::TemporaryFolder folder;
  Shared device(replay(3));
  const SearchTask task = task_on(replay());
  const CampaignOptions options{.budget = {.seconds = 0, .evaluations = 40},
                                .journal = folder / "journal.jsonl"};
  const auto report = run_campaign(task, device, options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->evaluations, 40U);
  EXPECT_EQ(device.asked_while_timing, 0);
  for (const Standing& s : report->standings) EXPECT_EQ(s.warm_up_samples, 0U);
  EXPECT_THAT(contents(options.journal), HasSubstr("workers=3 samples=warm"));
}

// A device whose speed changes while it is measured: what is sampled early says nothing about what
// is sampled late.
class Drifting final : public Evaluator {
 public:
  Drifting(Replay device, std::uint64_t seed)
      : device_(std::move(device)), phase_(static_cast<double>(seed)) {}
  Expected<void> start(const Work& work) override { return device_.start(work); }
  Expected<std::optional<Answer>> next(double until) override {
    VYRE_TRY(auto answer, device_.next(until));
    if (answer) answer->result.time_ms *= 1.5 + 0.5 * std::sin(phase_ + 2 * answer->seconds);
    return answer;
  }
  void give_up() override { device_.give_up(); }
  double now_seconds() const override { return device_.now_seconds(); }

 private:
  Replay device_;
  double phase_;
};

TEST(Campaign, ItsGainHoldsOnADeviceThatDrifts) {
  const SearchTask task = task_on(replay());
  const double default_ms = true_ms(replay(), task.default_index);
  int holds = 0;
  constexpr int kCampaigns = 100;
  for (std::uint64_t seed = 1; seed <= kCampaigns; ++seed) {
    Drifting device(replay(), seed);
    const auto report = run_campaign(
        task, device, {.strategy = "random", .seed = seed, .budget = {.evaluations = 12}});
    ASSERT_TRUE(report) << report.error().message;
    const double truth = default_ms / true_ms(replay(), report->best);
    holds += report->gained.low <= truth && truth <= report->gained.high ? 1 : 0;
  }
  EXPECT_GE(holds, 90) << "of " << kCampaigns;
}

// A device that is half as fast for seconds at a time. The default shows it, if it is asked.
class Phased final : public Evaluator {
 public:
  Phased(Replay device, double default_ms, std::uint64_t seed)
      : device_(std::move(device)), default_ms_(default_ms), begin_(static_cast<double>(seed)) {}
  bool is_warm() const override { return true; }
  Expected<void> start(const Work& work) override { return device_.start(work); }
  Expected<std::optional<Answer>> next(double until) override {
    VYRE_TRY(auto answer, device_.next(until));
    if (!answer || answer->work.step == Step::admit) return answer;
    const double slower = std::fmod(begin_ * 0.37 + answer->seconds, 3.0) < 1.0 ? 2 : 1;
    answer->result.time_ms *= slower;
    answer->result.default_ms = default_ms_ * slower;
    return answer;
  }
  void give_up() override { device_.give_up(); }
  double now_seconds() const override { return device_.now_seconds(); }

 private:
  Replay device_;
  double default_ms_;
  double begin_;
};

double mean_time_found(double default_ms) {
  double sum = 0;
  constexpr int kCampaigns = 30;
  for (std::uint64_t seed = 1; seed <= kCampaigns; ++seed) {
    Phased device(replay(), default_ms, seed);
    const auto report = run_campaign(
        task_on(replay()), device,
        {.strategy = "random", .seed = seed, .budget = {.seconds = 0, .evaluations = 40}});
    EXPECT_TRUE(report) << report.error().message;
    if (report) sum += true_ms(replay(), report->best);
  }
  return sum / kCampaigns;
}

TEST(Campaign, TimesOfADeviceWhoseSpeedHalvesAreComparedAtOneSpeed) {
  const double steadied = mean_time_found(5);
  const double unaware = mean_time_found(0);
  Replay steady = replay();
  EXPECT_LT(steadied, unaware);
  double best = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Replay device = replay();
    const auto report = run_campaign(
        task_on(device), device,
        {.strategy = "random", .seed = seed, .budget = {.seconds = 0, .evaluations = 40}});
    ASSERT_TRUE(report);
    best += true_ms(device, report->best) / 30;
  }
  EXPECT_LT(steadied, best * 1.01);
}

// The decision that would be replaced runs beside the winner, and stays if it is faster.
TEST(Campaign, ARivalIsComparedSideBySide) {
  Replay device = replay();
  const SearchTask task = task_on(device);
  std::uint64_t fastest = task.default_index;
  for (std::uint64_t k = 0; k < device.space().size(); ++k) {
    if (true_ms(device, k) < true_ms(device, fastest)) fastest = k;
  }
  const auto report = run_campaign(
      task, device,
      {.strategy = "random", .budget = {.seconds = 0, .evaluations = 4}, .rival = fastest});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->best, fastest);
  EXPECT_GT(report->gained.low, 1);
}

TEST(Campaign, AnotherCampaignsOrAFinishedJournalIsReplaced) {
  const testing::TemporaryFolder folder;
  CampaignOptions options{.budget = {.seconds = 0, .evaluations = 5},
                          .journal = folder / "journal.jsonl"};
  Replay device = replay();
  ASSERT_TRUE(run_campaign(task_on(device), device, options));
  Replay again = replay();
  const auto report = run_campaign(task_on(again), again, options);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->resumed, 0U);
  std::ofstream(options.journal) << "garbage\n";
  Replay third = replay();
  EXPECT_TRUE(run_campaign(task_on(third), third, options));
}

TEST(Campaign, AnInterruptedOneContinues) {
  const testing::TemporaryFolder folder;
  CampaignOptions options{.budget = {.seconds = 0, .evaluations = 20},
                          .journal = folder / "journal.jsonl",
                          .on_progress = [](const Progress& p) { return p.evaluations < 7; }};
  Replay device = replay();
  const auto first = run_campaign(task_on(device), device, options);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->stopped, StopReason::asked);
  options.on_progress = {};
  Replay rest = replay();
  const auto second = run_campaign(task_on(rest), rest, options);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->evaluations, 20U);
  EXPECT_EQ(second->resumed, 7U);
}

Problem scale_problem() {
  auto program = ir::build("scale", [](ir::Builder& b) {
    const auto n = b.shape("n");
    const auto group = b.tunable("group", 64);
    const auto wrong = b.tunable("wrong", 0);
    auto x = b.read_write(ir::Scalar::f32, "x", n);
    b.workgroup(group);
    const auto i = b.global_id(0);
    b.if_(i < n, [&] { x[i] = x[i] * 2.0F + cast(ir::Scalar::f32, wrong); });
  });
  auto space = space::Space::build(
      {.parameters = {{"group", {std::int64_t{32}, std::int64_t{64}, std::int64_t{1 << 20}}},
                      {"wrong", {std::int64_t{0}, std::int64_t{1}}}},
       .constraints = {}});
  auto inputs = std::make_shared<std::vector<std::vector<std::byte>>>();
  const std::vector<float> x(1000, 1.5F);
  const auto bytes = std::as_bytes(std::span(x));
  inputs->emplace_back(bytes.begin(), bytes.end());
  Problem problem{.name = "scale",
                  .sequence = *ir::Sequence::make(*std::move(program)),
                  .space = *space,
                  .inputs = inputs};
  problem.default_index =
      *problem.space.find(Config{{"group", std::int64_t{64}}, {"wrong", std::int64_t{0}}});
  return problem;
}

TEST(InProcess, TellsWrongAndRefusedCandidatesFromGoodOnes) {
  const Problem problem = scale_problem();
  const auto device = open_reference();
  const auto evaluator = evaluate_in_process(device, problem);
  const auto report =
      run_campaign(task_of(problem, device->info()), *evaluator, {.budget = {.seconds = 60}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->stopped, StopReason::exhausted);
  EXPECT_EQ(report->evaluations, 6U);
  ASSERT_EQ(report->failures.size(), 4U);
  for (const Failure& failure : report->failures) {
    const Config config = problem.space.config_at(failure.index);
    const bool refused = std::get<std::int64_t>(*config.find("group")) > 1024;
    EXPECT_EQ(failure.status, refused ? Status::compile : Status::correctness);
  }
  const recording::Recording recording = recording_of(problem, *report);
  EXPECT_EQ(recording.rows.size(), 6U);
  for (const recording::Row& row : recording.rows) {
    EXPECT_GT(row.compile_ms, 0);
    // A configuration that does not compile has no output to compare.
    EXPECT_EQ(row.validation_ms > 0, row.status != Status::compile);
    EXPECT_THAT(row.timestamp, ::testing::MatchesRegex("20.*-.*-.* .*:.*:.*\\..*\\+00:00"));
  }
  EXPECT_TRUE(recording::to_t4(recording));
}

TEST(Campaign, InterruptedAndResumedItDecidesAsWithoutInterruption) {
  const testing::TemporaryFolder folder;
  Replay device = replay();
  const SearchTask task = task_on(device);
  CampaignOptions options{.budget = {.seconds = 0, .evaluations = 30}};
  const auto whole = run_campaign(task, device, options);
  ASSERT_TRUE(whole) << whole.error().message;
  options.journal = folder.path() / "journal";
  for (const std::uint64_t stop : {3U, 11U, 19U}) {
    Replay again = replay();
    options.on_progress = [=](const Progress& p) { return p.evaluations < stop; };
    const auto part = run_campaign(task, again, options);
    ASSERT_TRUE(part) << part.error().message;
    EXPECT_EQ(part->stopped, StopReason::asked);
    EXPECT_EQ(part->evaluations, stop);
  }
  options.on_progress = {};
  Replay last = replay();
  const auto resumed = run_campaign(task, last, options);
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_EQ(resumed->resumed, 19U);
  EXPECT_EQ(resumed->best, whole->best);
  EXPECT_EQ(resumed->evaluations, whole->evaluations);
}

TEST(Campaign, GoesOnWithAnotherBudgetFromWhereItsJournalFits) {
  const testing::TemporaryFolder folder;
  CampaignOptions options{.budget = {.seconds = 0, .evaluations = 12},
                          .journal = folder.path() / "journal"};
  Replay device = replay();
  const SearchTask task = task_on(device);
  ASSERT_TRUE(run_campaign(task, device, options));
  // As if it had been killed at the very end of its final race.
  std::string text = contents(options.journal);
  text.erase(text.find("{\"finished\""));
  std::ofstream(options.journal) << text;
  options.budget.evaluations = 20;
  Replay fresh = replay();
  const auto longer = run_campaign(task, fresh, options);
  ASSERT_TRUE(longer) << longer.error().message;
  EXPECT_EQ(longer->evaluations, 20U);
  EXPECT_EQ(longer->resumed, 12U);
}

TEST(Campaign, NeverTriesWhatIsKnownToFail) {
  Replay device = replay();
  const SearchTask task = task_on(device);
  CampaignOptions options{.budget = {.seconds = 0, .evaluations = 15}};
  const auto free = run_campaign(task, device, options);
  ASSERT_TRUE(free) << free.error().message;
  options.known_failures = {{free->best, Status::timeout}, {task.default_index, Status::runtime}};
  Replay again = replay();
  const auto report = run_campaign(task, again, options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_NE(report->best, free->best);
  for (const Standing& standing : report->standings) {
    EXPECT_NE(standing.candidate.id, free->best);
  }
}

TEST(Reference, ComesFromAnotherProgramOrTheApplication) {
  Problem problem = testing::three_configurations();
  problem.inputs = std::make_shared<const std::vector<std::vector<std::byte>>>();
  const auto four = [](std::uint32_t value) {
    const std::vector<std::uint32_t> values(4, value);
    const auto bytes = std::as_bytes(std::span(values));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  const auto verified = [&](std::uint64_t index) {
    const auto evaluator = evaluate_in_process(open_reference(), problem);
    const auto answer = answer_of(*evaluator, {Step::admit, index});
    EXPECT_TRUE(answer) << answer.error().message;
    return answer->result.status;
  };
  EXPECT_EQ(verified(1), Status::correctness);  // the default gives 1
  ASSERT_TRUE(set_reference(
      problem, [&](std::span<const Input>) { return Expected<Outputs>(Outputs{four(2)}); }));
  EXPECT_EQ(verified(1), Status::ok);
  EXPECT_EQ(verified(0), Status::correctness);
  const auto other = ir::build("other", [](ir::Builder& b) {
    auto y = b.write(ir::u32, "y", 4);
    y[b.global_id(0)] = b.global_id(0) * 0U + 3U;
  });
  ASSERT_TRUE(set_reference(problem, open_reference(), *ir::Sequence::make(*other)));
  EXPECT_EQ(verified(2), Status::ok);
  const auto none =
      set_reference(problem, [](std::span<const Input>) { return Expected<Outputs>(Outputs{}); });
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "p: the reference has 0 outputs, the problem 1");
}

}  // namespace
}  // namespace vyre
