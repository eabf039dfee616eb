// Candidates that are fast because they are wrong: in some of their runs only, or outside the
// memory that is theirs. None of them wins.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "testing/twice_problem.h"
#include "vyre/tune.h"

namespace vyre::faults {
namespace {

using ::testing::StartsWith;
using testing::TemporaryFolder;

// y = 2 x, in ways that are chosen by `way`. 0 is right and slow. 1 writes to its input, 2 to 7
// outside its buffers. 8 is right for one set of data only, 9 is right. From 10 on it is right in
// all runs but every (way - 10)-th.
constexpr const char* kKernel = R"(
#if way >= 10
global uint runs = 0;
#endif
kernel void twice(global const float* x, global float* y, uint n) {
  uint i = get_global_id(0);
  y[i] = 2 * x[i];
#if way == 0
  for (volatile int k = 0; k < 300; ++k) {}
#elif way == 1
  if (i == n - 1) ((global float*)x)[i] = 1;
#elif way == 8
  if (as_uint(x[0]) != FIRST) y[i] = x[i];
#elif way < 8
  const long outside[] = {0, 0, -1, -16, n + 1100, n + 10000, -1000000, n + 1000000};
  if (i == 0) y[outside[way]] = 1;
#elif way >= 10
  if (i == 0 && ++runs % (way - 10) == 0) y[0] = -1;
#endif
}
)";

// Program-scope variables are OpenCL 2.0.
Problem twice(const TemporaryFolder& folder, const std::string& ways,
              const std::string& kernel = kKernel, std::uint32_t first = 0) {
  std::ofstream(folder / "twice.cl") << kernel;
  std::ofstream(folder / "twice.json")
      << testing::to_t1({.ways = ways,
                         .blocks = "64",
                         .options = {"-cl-std=CL2.0", fmt::format("-DFIRST={}u", first)}});
  auto problem = load_problem(folder / "twice.json");
  EXPECT_TRUE(problem) << problem.error().message;
  return *std::move(problem);
}

std::int64_t way_of(const Problem& problem, std::uint64_t index) {
  return std::get<std::int64_t>(*problem.space.config_at(index).find("way"));
}

Tuned tuned_wholly(const Problem& problem, Isolation isolation, std::uint64_t seed = 1) {
  const auto device = open_device("opencl");
  EXPECT_TRUE(device) << device.error().message;
  const auto tuned = tune(*device, problem,
                          {.seconds = 0,
                           .evaluations = 100,
                           .seed = seed,
                           .workers = {.isolation = isolation, .executable = VYRE_WORKER}});
  EXPECT_TRUE(tuned) << tuned.error().message;
  return tuned.value_or(Tuned{});
}

// Of a campaign that the default has won.
std::map<std::int64_t, Failure> failures_of(const Problem& problem, Isolation isolation,
                                            std::uint64_t seed = 1) {
  const Tuned tuned = tuned_wholly(problem, isolation, seed);
  EXPECT_EQ(way_of(problem, tuned.report.best), 0);
  std::map<std::int64_t, Failure> out;
  for (const Failure& failure : tuned.report.failures) {
    out[way_of(problem, failure.index)] = failure;
  }
  return out;
}

TEST(WrongCandidates, AWriteOutsideIsFoundOrACrashOfTheWorker) {
  const TemporaryFolder folder;
  auto failures = failures_of(twice(folder, "0, 1, 2, 3, 4, 5, 6, 7"), Isolation::workers);
  EXPECT_EQ(failures.size(), 7U);
  const std::map<std::int64_t, std::pair<Status, std::string>> expected{
      {1, {Status::correctness, "it writes to x, which it may only read"}},
      {2, {Status::correctness, "it writes before the beginning of y"}},
      {3, {Status::correctness, "it writes before the beginning of y"}},
      {4, {Status::correctness, "it writes behind the end of y"}},
      {5, {Status::correctness, "it writes behind the end of y"}},
      {6, {Status::runtime, ""}},
      {7, {Status::runtime, ""}}};
  for (const auto& [way, wanted] : expected) {
    EXPECT_EQ(failures[way].status, wanted.first) << way;
    EXPECT_THAT(failures[way].why, StartsWith(wanted.second)) << way;
  }
}

// In this process there are no guards, but gaps.
TEST(WrongCandidates, GapsAreInThisProcessToo) {
  const TemporaryFolder folder;
  const auto failures = failures_of(twice(folder, "0, 2, 5"), Isolation::in_process);
  EXPECT_EQ(failures.size(), 2U);
  for (const auto& [way, failure] : failures) EXPECT_EQ(failure.status, Status::correctness) << way;
}

TEST(WrongCandidates, OneThatIsWrongInSomeRunsNeverWins) {
  const std::uint32_t campaigns = testing::cases(2, 50);
  for (std::uint32_t seed = 1; seed <= campaigns; ++seed) {
    for (const int every : {2, 4}) {
      const TemporaryFolder folder;
      const std::int64_t way = 10 + every;
      const auto failures =
          failures_of(twice(folder, "0, " + std::to_string(way)), Isolation::in_process, seed);
      ASSERT_EQ(failures.size(), 1U) << every;
      EXPECT_EQ(failures.at(way).status, Status::correctness) << every;
    }
  }
}

TEST(WrongCandidates, OneThatIsRightForOneSetOfDataNeverWins) {
  const TemporaryFolder folder;
  const Problem any = twice(folder, "0, 8");
  const auto first = values_of<std::uint32_t>(any.inputs->at(0))[0];
  for (const Isolation isolation : {Isolation::in_process, Isolation::workers}) {
    const auto failures = failures_of(twice(folder, "0, 8", kKernel, first), isolation);
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_EQ(failures.at(8).status, Status::correctness);
  }
}

// The first run finds zeros, as the T1 file says, and later ones do not. An application clears the
// output itself.
TEST(WrongCandidates, OneThatAddsToItsOutputAsTheDefaultDoesIsNotWrong) {
  const TemporaryFolder folder;
  std::string adding = kKernel;
  adding.replace(adding.find("y[i] = 2"), 8, "y[i] += 2");
  const Problem problem = twice(folder, "0, 9", adding);
  const Tuned tuned = tuned_wholly(problem, Isolation::in_process);
  EXPECT_EQ(tuned.report.failures.size(), 0U);
  EXPECT_EQ(way_of(problem, tuned.report.best), 9);
}

}  // namespace
}  // namespace vyre::faults
