// Candidates in a process of their own: the same answers as in this one, and no way to take the
// campaign along.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "testing/temporary_folder.h"
#include "testing/tuning_fixture.h"
#include "tune/in_process.h"
#include "tune/worker/job.h"
#include "tune/worker/messages.h"
#include "tune/worker/workers.h"
#include "vyre/builder.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

// y = 2 * x, unless `wrong`; and another output of `waste` MiB.
Problem twice() {
  const auto program = ir::build("twice", [](ir::Builder& b) {
    auto wrong = b.tunable(ir::u32, "wrong", 0);
    auto waste = b.tunable(ir::u32, "waste", 1);
    auto n = b.shape("n");
    auto x = b.read(ir::u32, "x", n);
    auto y = b.write(ir::u32, "y", n);
    auto spare = b.write(ir::u32, "spare", waste * 262144U);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { y[i] = select(wrong == 1U, x[i], x[i] * 2U); });
    b.if_(i < 1U, [&] { spare[i] = 1U; });
  });
  EXPECT_TRUE(program) << program.error().message;
  auto space =
      space::Space::build({.parameters = {{"wrong", {std::int64_t{0}, std::int64_t{1}}},
                                          {"waste", {std::int64_t{1}, std::int64_t{4000}}}},
                           .constraints = {}});
  EXPECT_TRUE(space) << space.error().message;
  std::vector<std::byte> x(4096, std::byte{1});
  return {.name = "twice",
          .sequence = *ir::Sequence::make(*program),
          .space = *space,
          .default_index = *space->find({{"wrong", std::int64_t{0}}, {"waste", std::int64_t{1}}}),
          .inputs = std::make_shared<const std::vector<std::vector<std::byte>>>(
              std::vector<std::vector<std::byte>>{std::move(x)})};
}

std::uint64_t index_of(const Problem& problem, std::int64_t wrong, std::int64_t waste) {
  return *problem.space.find({{"wrong", wrong}, {"waste", waste}});
}

Expected<std::unique_ptr<Evaluator>> worker_for(const Problem& problem,
                                                std::filesystem::path executable = VYRE_WORKER) {
  return evaluate_in_workers({.executable = std::move(executable),
                              .device = "reference",
                              .memory_limit = std::uint64_t{2} << 30U},
                             open_reference()->info(), problem);
}

Answer answered(Evaluator& evaluator, Step step, std::uint64_t index) {
  const auto answer = answer_of(evaluator, {step, index});
  EXPECT_TRUE(answer) << answer.error().message;
  return answer.value_or(Answer{});
}

TEST(Worker, AnswersAsThisProcessWould) {
  const Problem problem = twice();
  auto worker = worker_for(problem);
  ASSERT_TRUE(worker) << worker.error().message;
  const auto here = evaluate_in_process(open_reference(), problem);
  for (const std::int64_t wrong : {0, 1}) {
    const std::uint64_t index = index_of(problem, wrong, 1);
    const Status wanted = wrong == 1 ? Status::correctness : Status::ok;
    for (const Step step : {Step::admit, Step::sample, Step::race, Step::pair}) {
      EXPECT_EQ(answered(**worker, step, index).result.status, wanted);
      EXPECT_EQ(answered(*here, step, index).result.status, wanted);
    }
    const double time_ms = answered(**worker, Step::sample, index).result.time_ms;
    EXPECT_EQ(time_ms > 0, wrong == 0);
  }
  EXPECT_GT((*worker)->kernel_seconds(), 0);
}

// The interpreter tells nothing about its kernels, but there is one entry per step.
TEST(Worker, TellsWhatTheCompilerMadeOfAConfiguration) {
  const Problem problem = twice();
  auto worker = evaluate_in_workers({.executable = VYRE_WORKER, .device = "reference"},
                                    open_reference()->info(), problem);
  ASSERT_TRUE(worker) << worker.error().message;
  const std::vector<KernelFacts> wanted(1);
  EXPECT_EQ((*worker)->facts(problem.default_index), wanted) << "by a worker that just started";
  ASSERT_TRUE(answer_of(**worker, {Step::admit, problem.default_index}));
  EXPECT_EQ((*worker)->facts(problem.default_index), wanted);
  EXPECT_EQ(evaluate_in_process(open_reference(), problem)->facts(problem.default_index), wanted);
  // The evaluator can be used on.
  ASSERT_TRUE(answer_of(**worker, {Step::sample, problem.default_index}));
  const auto none = evaluate_in_workers({.executable = "/bin/true", .device = "reference"},
                                        open_reference()->info(), problem);
  ASSERT_TRUE(none);
  EXPECT_EQ((*none)->facts(problem.default_index), std::vector<KernelFacts>());
}

TEST(Worker, ACandidateThatTakesAllMemoryCostsItselfOnly) {
  const Problem problem = twice();
  auto worker = worker_for(problem);
  ASSERT_TRUE(worker) << worker.error().message;
  EXPECT_EQ(answered(**worker, Step::admit, index_of(problem, 0, 4000)).result.status,
            Status::runtime);
  EXPECT_EQ(answered(**worker, Step::admit, index_of(problem, 0, 1)).result.status, Status::ok);
}

TEST(Worker, OneThatDoesNotComeUpSaysWhy) {
  const Problem problem = twice();
  const auto message = [&](const char* executable) {
    const auto worker = worker_for(problem, executable);
    if (!worker) return worker.error().message;
    const auto answer = answer_of(**worker, {Step::admit, problem.default_index});
    return answer ? std::string() : answer.error().message;
  };
  EXPECT_THAT(message("/does/not/exist"), HasSubstr("there is no program \"/does/not/exist\""));
  EXPECT_EQ(message("/bin/true"), "vyre-worker does not come up: it ended with exit code 0");
  const auto other = evaluate_in_workers({.executable = VYRE_WORKER, .device = "reference"},
                                         open_null()->info(), problem);
  ASSERT_TRUE(other) << other.error().message;
  const auto answer = answer_of(**other, {Step::admit, problem.default_index});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("another device than this process"));
}

TEST(Worker, AJobThatIsDamagedIsRefused) {
  auto file = worker::write_job({.problem = twice()});
  ASSERT_TRUE(file) << file.error().message;
  const auto job = worker::read_job(file->get());
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->problem.sequence.fingerprint(), twice().sequence.fingerprint());
  EXPECT_EQ(*job->problem.inputs, *twice().inputs);
  for (const off_t length : {0, 4, 100, 3000}) {
    ASSERT_EQ(::ftruncate(file->get(), length), 0);
    const auto damaged = worker::read_job(file->get());
    ASSERT_FALSE(damaged);
    EXPECT_THAT(damaged.error().message, HasSubstr("the job is damaged"));
  }
}

TEST(Worker, MessagesOfStrangersAreRefused) {
  for (const char* text :
       {"", "1", "{}", "{\"task\": 3}", "{\"task\": \"dance\", \"config\": {}}"}) {
    EXPECT_FALSE(worker::request_from(text)) << text;
    EXPECT_FALSE(worker::reply_from(text)) << text;
    EXPECT_FALSE(worker::greeting_from(text)) << text;
  }
}

std::string reply_with(const std::string& ms, const std::string& why = "",
                       const std::string& seconds = "0.5") {
  return R"({"launched":false,"status":"correct","ms":)" + ms +
         R"(,"default_ms":0,"host_clock":false,"kernels":[],"damage":false,"kernel_seconds":)" +
         seconds + R"(,"why":")" + why + R"(","error":null})";
}

TEST(Worker, RepliesThatCannotBeAreRefused) {
  EXPECT_TRUE(worker::reply_from(reply_with("0")));
  EXPECT_TRUE(worker::reply_from(reply_with("2.5", "why not")));
  struct Case {
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {reply_with("-5"), "a time of -5 ms, which cannot be"},
      {reply_with("1e308"), "a time of 1e+308 ms, which cannot be"},
      {reply_with("1", "", "-1"), "a time of -1 s, which cannot be"},
      {reply_with("1", "", "1e300"), "a time of 1e+300 s, which cannot be"},
      {reply_with("1e999"), "do not understand each other"},
      {reply_with("null"), "do not understand each other"},
      {reply_with("1", R"(a\u001b[2Jb)"), "vyre-worker answers with control characters"},
      {reply_with("1", R"(a\nb)"), "vyre-worker answers with control characters"},
      {R"({"launched":false,"status":"runtime","ms":0,"default_ms":0,"host_clock":false,)"
       R"("kernels":[],)"
       R"("damage":false,"kernel_seconds":0,"why":"",)"
       R"("error":{"kind":2,"code":"","message":"a\u0007b"}})",
       "vyre-worker answers with control characters"},
  };
  for (const auto& [text, message] : cases) {
    const auto reply = worker::reply_from(text);
    ASSERT_FALSE(reply) << text;
    EXPECT_THAT(reply.error().message, HasSubstr(message));
  }
}

// A script that greets as the worker does, and then gives one reply to everything.
std::filesystem::path fake_worker(const testing::TemporaryFolder& folder,
                                  const std::string& reply) {
  const std::string greeting = R"({"version":)" + std::to_string(worker::kVersion) +
                               R"(,"device":")" + fingerprint(open_reference()->info()) +
                               R"(","error":null})";
  const std::filesystem::path file = folder / "fake-worker";
  std::ofstream(file)
      << "#!/bin/sh\n"
         "say() {\n"
         "  n=${#1}\n"
         "  printf \"$(printf '\\\\%03o\\\\%03o\\\\000\\\\000' $((n % 256)) $((n / 256)))\" >&3\n"
         "  printf '%s' \"$1\" >&3\n"
         "}\n"
         "say '"
      << greeting
      << "'\n"
         "while [ \"$(dd bs=65536 count=1 <&3 2>/dev/null | wc -c)\" -gt 0 ]; do say '"
      << reply << "'; done\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

TEST(Worker, OneThatAnswersTheImpossibleIsReplacedAndNamed) {
  const Problem problem = twice();
  const auto why = [&](const std::string& reply) {
    const testing::TemporaryFolder folder;
    auto worker = worker_for(problem, fake_worker(folder, reply));
    EXPECT_TRUE(worker) << worker.error().message;
    const auto admitted = answer_of(**worker, {Step::admit, problem.default_index});
    if (!admitted) return admitted.error().message;
    const auto sampled = answer_of(**worker, {Step::sample, problem.default_index});
    if (!sampled) return sampled.error().message;
    EXPECT_NE(sampled->result.status, Status::ok);
    return sampled->why;
  };
  EXPECT_THAT(why(reply_with("0")), HasSubstr("vyre-worker answers with a time of 0 ms"));
  EXPECT_THAT(why(reply_with("-5")), HasSubstr("vyre-worker answers with a time of -5 ms"));
  EXPECT_THAT(why(reply_with("1e308")), HasSubstr("vyre-worker answers with a time of 1e+308 ms"));
  EXPECT_THAT(why(reply_with("1", R"(\u001b)")), HasSubstr("with control characters"));
}

TEST(Worker, LaunchesTuneInOne) {
  for (const char* executable : {VYRE_WORKER, "no/such/worker"}) {
    testing::TuningFixture f(
        {.mode = Mode::natural,
         .miss_budget = testing::kAll,
         .workers = {.isolation = Isolation::workers, .executable = executable}},
        open_reference());
    f.declare_busy();
    EXPECT_EQ(f.launch(testing::busy_program(), 100), testing::busy_result(100));
    EXPECT_EQ(f.launch(testing::free_program(), 100), testing::free_result(100));
    const bool is_there = executable == std::string_view(VYRE_WORKER);
    EXPECT_EQ(f.count(EventKind::tuned), is_there ? 2U : 0U);
    EXPECT_EQ(f.count(EventKind::not_tuned), is_there ? 0U : 2U);
    for (const Event& event : f.events) {
      EXPECT_THAT(event.message, HasSubstr(is_there ? ": tuned in" : "not tuned: "))
          << event.message;
    }
  }
}

}  // namespace
}  // namespace vyre
