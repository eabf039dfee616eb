// tune: one way from a problem to a decision that is kept, served, resumed and shared.

#include "vyre/tune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "base/files/paths.h"
#include "testing/journals.h"
#include "testing/temporary_folder.h"
#include "testing/tuned_programs.h"
#include "tune/in_process.h"
#include "tune/problem_call.h"
#include "vyre/runtime.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

constexpr std::size_t kCount = 300;

std::shared_ptr<Device> interpreter() { return open_reference({.threads = 1}); }

Problem busy_problem() {
  const auto x = testing::words(kCount);
  const auto bytes = as_input(x);
  auto space = testing::busy_space();
  const auto standard = space.find({{"work", std::int64_t{512}}, {"block", std::int64_t{16}}});
  return {.name = "busy",
          .sequence = testing::busy_program(),
          .space = std::move(space),
          .default_index = *standard,
          .inputs = std::make_shared<const Outputs>(Outputs{{bytes.begin(), bytes.end()}})};
}

Problem free_problem() {
  const auto x = testing::words(kCount);
  const auto bytes = as_input(x);
  auto choice = workgroup_choice(testing::free_program(), interpreter()->info().limits);
  return {.name = "free",
          .sequence = testing::free_program(),
          .space = choice->space,
          .default_index = choice->default_index,
          .inputs = std::make_shared<const Outputs>(Outputs{{bytes.begin(), bytes.end()}})};
}

TuneOptions all_of(const TemporaryFolder& folder) {
  return {.seconds = 0, .evaluations = 100, .files = {.folder = folder.path()}};
}

TEST(Tune, DecisionsHaveTheirShapeAndAreServed) {
  const TemporaryFolder folder;
  const auto tuned = tune(interpreter(), busy_problem(), all_of(folder));
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_TRUE(tuned->is_kept) << tuned->why_not_kept;
  EXPECT_FALSE(tuned->is_remembered);
  EXPECT_EQ(tuned->decision.shape, (std::vector<std::uint64_t>{kCount, kCount}));
  EXPECT_EQ(tuned->key, key_of(testing::busy_program().fingerprint(), tuned->decision.shape));
  EXPECT_TRUE(tuned->decision.verified);
  EXPECT_GT(tuned->report.gain(), 1);
  EXPECT_TRUE(testing::all_are_finished(folder / "journals"));
  // Another process finds it, in any mode.
  auto runtime = Runtime::open(interpreter(), {.files = {.folder = folder.path()}});
  ASSERT_TRUE(runtime);
  EXPECT_EQ(runtime->resolve(testing::busy_program(), tuned->decision.shape).source,
            Source::decision);
  ASSERT_TRUE(runtime->declare(testing::busy_program(), {.space = testing::busy_space()}));
  EXPECT_EQ(runtime->resolve(testing::busy_program(), tuned->decision.shape).source,
            Source::decision);
}

TEST(Tune, ASecondTimeNothingIsSearchedUnlessAsked) {
  const TemporaryFolder folder;
  const auto first = tune(interpreter(), busy_problem(), all_of(folder));
  ASSERT_TRUE(first);
  const auto second = tune(interpreter(), busy_problem(), all_of(folder));
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->is_remembered);
  EXPECT_EQ(second->decision.elapsed, first->decision.elapsed);
  EXPECT_EQ(second->report.best, first->report.best);
  EXPECT_EQ(second->report.evaluations, 0U);
  TuneOptions options = all_of(folder);
  options.strategy = "lucky";
  const auto mistaken = tune(interpreter(), busy_problem(), options);
  ASSERT_FALSE(mistaken);
  EXPECT_THAT(mistaken.error().message, HasSubstr("there is no strategy \"lucky\""));
  options = all_of(folder);
  options.again = true;
  const auto third = tune(interpreter(), busy_problem(), options);
  ASSERT_TRUE(third);
  EXPECT_FALSE(third->is_remembered);
  EXPECT_GT(third->report.evaluations, 1U);
}

TEST(Tune, WithoutFilesAllStaysInMemory) {
  DecisionCache cache = DecisionCache::open({.identity = identity_of(interpreter()->info())});
  TuneOptions options{.seconds = 0, .evaluations = 100, .cache = &cache};
  const auto tuned = tune(interpreter(), busy_problem(), options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_TRUE(tuned->is_kept);
  EXPECT_TRUE(cache.find(tuned->key));
}

// The command and an application share files: an interrupted campaign of one is resumed by the
// other where program, shape, space, data, strategy, seed and number of workers agree.
TEST(Tune, AnApplicationGoesOnWhereAnotherProgramWasInterrupted) {
  const TemporaryFolder folder;
  TuneOptions options = all_of(folder);
  options.on_progress = [](const Progress& progress) { return progress.evaluations < 3; };
  const auto cut = tune(interpreter(), busy_problem(), options);
  ASSERT_TRUE(cut) << cut.error().message;
  EXPECT_TRUE(cut->is_interrupted());
  EXPECT_FALSE(cut->is_kept);
  EXPECT_EQ(cut->why_not_kept, "interrupted");
  std::vector<Event> events;
  auto runtime = Runtime::open(interpreter(),
                               {.mode = Mode::natural,
                                .miss_budget = {.seconds = 0, .evaluations = 100},
                                .files = {.folder = folder.path()},
                                .events = [&](const Event& event) { events.push_back(event); }});
  ASSERT_TRUE(runtime);
  ASSERT_TRUE(runtime->declare(testing::busy_program(), {.space = testing::busy_space()}));
  std::vector<std::uint32_t> x = testing::words(kCount);
  ASSERT_TRUE(runtime->launch(testing::busy_program(), {{"x", x}}));
  EXPECT_EQ(x, testing::busy_result(kCount));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_THAT(events[0].message, HasSubstr("3 of them before a restart"));
}

TEST(Tune, SamplesOfAnotherCampaignAreHints) {
  const TemporaryFolder folder;
  TuneOptions options = all_of(folder);
  options.on_progress = [](const Progress& progress) { return progress.evaluations < 3; };
  ASSERT_TRUE(tune(interpreter(), busy_problem(), options));
  options.on_progress = {};
  options.seed = 2;
  const auto other = tune(interpreter(), busy_problem(), options);
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(other->report.resumed, 0U) << "another seed is another campaign";
  EXPECT_TRUE(other->is_kept);
}

// Everything but the default is wrong.
TEST(Tune, WhatOneQuarantinesTheOtherDoesNotTry) {
  const TemporaryFolder folder;
  auto space = space::Space::build(
      {.parameters = {{"tile", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}}},
       .constraints = {}});
  const auto x = testing::words(kCount);
  const auto bytes = as_input(x);
  const Problem problem{
      .name = "wrong",
      .sequence = testing::wrong_program(),
      .space = *space,
      .inputs = std::make_shared<const Outputs>(Outputs{{bytes.begin(), bytes.end()}})};
  const auto tuned = tune(interpreter(), problem, all_of(folder));
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->report.best, 0U);
  EXPECT_EQ(tuned->report.failures.size(), 2U);
  TuneOptions options = all_of(folder);
  options.again = true;
  const auto again = tune(interpreter(), problem, options);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->report.evaluations, 1U) << "the others are quarantined";
  options.retry = true;
  const auto retried = tune(interpreter(), problem, options);
  ASSERT_TRUE(retried) << retried.error().message;
  EXPECT_EQ(retried->report.evaluations, 3U);
}

TEST(Tune, WorkgroupSizesAreDecidedByTheOriginalsPolicies) {
  for (const auto& [mode, strategy] :
       {std::pair{Mode::on, "best_of"}, std::pair{Mode::natural, "natural_search"}}) {
    const TemporaryFolder folder;
    TuneOptions options = all_of(folder);
    options.mode = mode;
    std::size_t asked = 0;
    options.on_progress = [&](const Progress&) { return ++asked > 0; };
    const auto tuned = tune(interpreter(), free_problem(), options);
    ASSERT_TRUE(tuned) << tuned.error().message;
    EXPECT_TRUE(tuned->is_kept) << tuned->why_not_kept;
    EXPECT_EQ(tuned->decision.strategy, strategy);
    EXPECT_TRUE(workgroup_of(tuned->decision.config));
    EXPECT_EQ(tuned->report.evaluations, free_problem().space.size());
    EXPECT_EQ(tuned->report.standings.size(), tuned->report.evaluations);
    EXPECT_GT(asked, 0U);
    EXPECT_GT(tuned->decision.samples, 1U);
    EXPECT_LE(tuned->report.elapsed.ns, tuned->report.default_elapsed.ns);
  }
}

// An evaluator that can give so many answers and no more.
class Breaking final : public Evaluator {
 public:
  Breaking(std::unique_ptr<Evaluator> inner, std::uint64_t answers)
      : inner_(std::move(inner)), left_(answers) {}
  bool is_warm() const override { return inner_->is_warm(); }
  Expected<void> start(const Work& work) override { return inner_->start(work); }
  Expected<std::optional<Answer>> next(double until) override {
    if (left_ == 0) return std::unexpected(Error{ErrorKind::backend, "", "the disk is full"});
    --left_;
    return inner_->next(until);
  }
  void give_up() override { inner_->give_up(); }
  double now_seconds() const override { return inner_->now_seconds(); }

 private:
  std::unique_ptr<Evaluator> inner_;
  std::uint64_t left_;
};

TEST(Tune, WhatWasFoundIsReturnedWhenTheCampaignCannotGoOn) {
  const TemporaryFolder folder;
  TuneOptions options = all_of(folder);
  Breaking breaking(evaluate_in_process(interpreter(), busy_problem()), 6);
  options.evaluator = &breaking;
  const auto part = tune(interpreter(), busy_problem(), options);
  ASSERT_TRUE(part) << part.error().message;
  ASSERT_TRUE(part->ended_by);
  EXPECT_EQ(part->ended_by->message, "the disk is full");
  EXPECT_TRUE(part->is_interrupted());
  EXPECT_FALSE(part->is_kept);
  EXPECT_GT(part->report.elapsed.ns, 0);
  options.evaluator = nullptr;
  const auto whole = tune(interpreter(), busy_problem(), options);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_GT(whole->report.resumed, 0U);
  EXPECT_TRUE(whole->is_kept);
}

// A policy must not take the machine's failure for that of a size.
TEST(Tune, AnEvaluatorThatFailsEndsTheChoiceOfASize) {
  for (const Mode mode : {Mode::on, Mode::natural}) {
    TuneOptions options{.seconds = 0, .evaluations = 100, .mode = mode};
    Breaking breaking(evaluate_in_process(interpreter(), free_problem()),
                      free_problem().space.size() + 3);
    options.evaluator = &breaking;
    const auto tuned = tune(interpreter(), free_problem(), options);
    ASSERT_TRUE(!tuned || tuned->ended_by);
    EXPECT_EQ((tuned ? *tuned->ended_by : tuned.error()).message, "the disk is full");
  }
}

TEST(Tune, BudgetsHoldForWorkgroupSizes) {
  const auto two = tune(interpreter(), free_problem(), {.seconds = 0, .evaluations = 2});
  ASSERT_TRUE(two) << two.error().message;
  EXPECT_EQ(two->report.evaluations, 2U);
  EXPECT_EQ(two->report.stopped, StopReason::budget);
  EXPECT_TRUE(two->is_kept);
  const auto one = tune(interpreter(), free_problem(), {.seconds = 0, .evaluations = 1});
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->why_not_kept, "the budget was spent on the default alone; give more");
  // Without any limit all sizes are tried, as are all of a small space in mode on.
  const auto all = tune(interpreter(), free_problem(), {.seconds = 0});
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->report.evaluations, free_problem().space.size());
  const auto swept = tune(interpreter(), busy_problem(), {.seconds = 0, .mode = Mode::on});
  ASSERT_TRUE(swept) << swept.error().message;
  EXPECT_EQ(swept->decision.strategy, "sweep");
  EXPECT_EQ(swept->report.evaluations, busy_problem().space.size());
}

// A decision that was imported on trust has no evidence: it is a hint, and its place is taken.
TEST(Tune, ADecisionOnTrustIsSearchedAnew) {
  auto cache = DecisionCache::open({.identity = identity_of(interpreter()->info())});
  const Key key =
      key_of(testing::busy_program().fingerprint(), std::vector<std::uint64_t>{kCount, kCount});
  cache.offer(key, {.fingerprint = testing::busy_program().fingerprint(),
                    .config = {{"work", std::int64_t{1}}, {"block", std::int64_t{16}}}});
  const auto tuned =
      tune(interpreter(), busy_problem(), {.seconds = 0, .evaluations = 100, .cache = &cache});
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_FALSE(tuned->is_remembered);
  EXPECT_EQ(tuned->decision.shape, (std::vector<std::uint64_t>{kCount, kCount}));
  EXPECT_GT(cache.read(cache.find(key)).samples, 0U);
}

// A decision with more samples than a campaign takes, of a slow configuration.
Decision well_founded_decision(std::int64_t work) {
  return {.fingerprint = testing::busy_program().fingerprint(),
          .config = {{"work", work}, {"block", std::int64_t{16}}},
          .space = digest_of(busy_problem().space),
          .elapsed = {1e6, 1e6, 1e6},
          .default_elapsed = {2e6, 2e6, 2e6},
          .samples = 100'000};
}

TEST(Tune, ARetunedDecisionSupersedesTheOneThatItWasMeasuredAgainst) {
  const Identity identity = identity_of(interpreter()->info());
  auto cache = DecisionCache::open({.identity = identity});
  const Key key =
      key_of(testing::busy_program().fingerprint(), std::vector<std::uint64_t>{kCount, kCount});
  const Decision old = well_founded_decision(512);
  ASSERT_EQ(cache.offer(key, old), Offer::kept);
  const auto tuned = tune(interpreter(), busy_problem(),
                          {.seconds = 0, .evaluations = 100, .again = true, .cache = &cache});
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_TRUE(tuned->is_kept) << tuned->why_not_kept;
  EXPECT_EQ(tuned->decision.supersedes.ids, std::vector<std::string>{id_of(old, identity)});
  EXPECT_EQ(id_of(cache.read(cache.find(key)), identity), id_of(tuned->decision, identity));
}

TEST(Tune, ADecisionThatCannotBeComparedStaysUnlessItIsReplaced) {
  auto cache = DecisionCache::open({.identity = identity_of(interpreter()->info())});
  const Key key =
      key_of(testing::busy_program().fingerprint(), std::vector<std::uint64_t>{kCount, kCount});
  const Decision old = well_founded_decision(777);  // outside the space
  ASSERT_EQ(cache.offer(key, old), Offer::kept);
  TuneOptions options{.seconds = 0, .evaluations = 100, .again = true, .cache = &cache};
  const auto refused = tune(interpreter(), busy_problem(), options);
  ASSERT_TRUE(refused) << refused.error().message;
  EXPECT_FALSE(refused->is_kept);
  EXPECT_THAT(refused->why_not_kept, HasSubstr("rests on more samples"));
  options.replaces = true;
  const auto kept = tune(interpreter(), busy_problem(), options);
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_TRUE(kept->is_kept) << kept->why_not_kept;
  EXPECT_EQ(cache.offer(key, old), Offer::superseded);
}

TEST(Tune, AnInterruptedChoiceOfSizesIsResumed) {
  const TemporaryFolder folder;
  TuneOptions options = all_of(folder);
  options.on_progress = [](const Progress& progress) { return progress.evaluations < 2; };
  const auto cut = tune(interpreter(), free_problem(), options);
  ASSERT_TRUE(cut) << cut.error().message;
  EXPECT_TRUE(cut->is_interrupted());
  options.on_progress = {};
  const auto tuned = tune(interpreter(), free_problem(), options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->report.resumed, 2U);
  EXPECT_TRUE(tuned->is_kept);
}

TEST(Tune, RefusesWhatCannotBeTuned) {
  const auto message = [](const Problem& problem, const TuneOptions& options) {
    const auto tuned = tune(interpreter(), problem, options);
    return tuned ? std::string("no error") : tuned.error().message;
  };
  EXPECT_EQ(message(busy_problem(), {.seconds = 0}),
            "busy: the budget is empty; give seconds or evaluations");
  EXPECT_THAT(message(busy_problem(), {.strategy = "lucky"}), HasSubstr("lucky"));
  Problem empty = busy_problem();
  empty.inputs = nullptr;
  EXPECT_EQ(message(empty, {}), "busy: there is no content for input \"x\"; add it");
  const auto none = tune(nullptr, busy_problem());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "there is no device to tune on; open one");
  TuneOptions workers{.workers = {.isolation = Isolation::workers, .executable = "no/such/worker"}};
  EXPECT_THAT(message(busy_problem(), workers), HasSubstr("there is no program"));
}

// y[0] as the configuration has left it.
std::uint32_t first_word(const Outputs& outputs) {
  std::uint32_t out = 0;
  std::memcpy(&out, outputs.at(0).data(), sizeof out);
  return out;
}

TEST(Tune, AVerifierJudgesOutputsThatAreNotCompared) {
  Problem problem = testing::three_configurations();
  problem.opaque_outputs = {Opaque::ignored};
  TuneOptions options{.seconds = 0, .evaluations = 3};
  std::vector<std::uint32_t> judged;
  options.verify = [&](const Config& config,
                       const Outputs& outputs) -> Expected<std::optional<std::string>> {
    judged.push_back(first_word(outputs));
    EXPECT_EQ(*config.find("k"), Value(std::int64_t{judged.back()}));
    if (judged.back() == 2) return "two is too many";
    return std::nullopt;
  };
  const auto tuned = tune(interpreter(), problem, options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  std::ranges::sort(judged);
  EXPECT_EQ(judged, (std::vector<std::uint32_t>{1, 2, 3}));
  ASSERT_EQ(tuned->report.failures.size(), 1U);
  EXPECT_EQ(tuned->report.failures[0].status, Status::correctness);
  EXPECT_EQ(tuned->report.failures[0].why, "two is too many");
  EXPECT_TRUE(tuned->decision.verified);
}

TEST(Tune, AVerifierMayRefuseTheDefaultAndEndTheCampaign) {
  TuneOptions options{.seconds = 0, .evaluations = 3};
  options.verify = [](const Config&, const Outputs&) { return std::optional<std::string>("bad"); };
  const auto refused = tune(interpreter(), testing::three_configurations(), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::rejected);
  EXPECT_EQ(refused.error().code, "default_correctness");
  EXPECT_THAT(refused.error().message, HasSubstr("failed with \"correctness\": bad"));
  options.verify = [](const Config&, const Outputs&) -> Expected<std::optional<std::string>> {
    return std::unexpected(Error{.message = "the judge is ill"});
  };
  const auto ended = tune(interpreter(), testing::three_configurations(), options);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message, "the judge is ill");
}

// A journal of answers that were only compared must not be replayed as judged.
TEST(Tune, ACampaignWithAVerifierIsAnother) {
  const TemporaryFolder folder;
  TuneOptions options = all_of(folder);
  options.on_progress = [](const Progress& progress) { return progress.evaluations < 3; };
  ASSERT_TRUE(tune(interpreter(), busy_problem(), options));
  options.on_progress = {};
  options.verify = [](const Config&, const Outputs&) { return std::optional<std::string>(); };
  const auto judged = tune(interpreter(), busy_problem(), options);
  ASSERT_TRUE(judged) << judged.error().message;
  EXPECT_EQ(judged->report.resumed, 0U);
}

TEST(Tune, AToleranceIsPartOfTheDataWhereFloatsAreCompared) {
  Problem integers = busy_problem();
  const auto strict = digest_of_data(integers);
  integers.tolerance.absolute = 1;
  EXPECT_EQ(digest_of_data(integers), strict);
  Problem floats = *bundled_problem("saxpy", {{"n", 64}});
  const auto before = digest_of_data(floats);
  floats.tolerance.absolute = 1;
  EXPECT_NE(digest_of_data(floats), before);
}

TEST(Tune, InputsMayBeOnTheDevice) {
  const auto device = interpreter();
  Problem problem = busy_problem();
  std::shared_ptr<Buffer> x = *device->allocate(kCount * sizeof(std::uint32_t));
  ASSERT_TRUE(x->write(0, problem.inputs->front()));
  const auto digest = digest_of_data(problem);
  problem.inputs = nullptr;
  problem.device_inputs = {x};
  EXPECT_EQ(digest_of_data(problem), digest) << "the same data, wherever it is";
  const auto tuned = tune(device, problem, {.seconds = 0, .evaluations = 100});
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_GT(tuned->report.gain(), 1);
  std::vector<std::uint32_t> after(kCount);
  ASSERT_TRUE(x->read(0, std::as_writable_bytes(std::span(after))));
  EXPECT_EQ(after, testing::words(kCount)) << "tuning works on copies";
}

}  // namespace
}  // namespace vyre
