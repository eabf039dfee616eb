// Random programs do the same on an OpenCL device as in the interpreter.

#include <gtest/gtest.h>

#include "emit/opencl/opencl_c.h"
#include "testing/opencl_compile.h"
#include "testing/random_case.h"
#include "testing/soak.h"

namespace vyre::emit {
namespace {

// Kernels per build: so many that the fixed cost of a build is small.
constexpr std::uint32_t kBatch = 50;

// The work is split into several tests, so that they can run side by side.
constexpr std::uint32_t kParts = 6;

void check(testing::OpenClProgram& program, const testing::RandomCase& c) {
  std::vector<std::vector<std::byte>> buffers = testing::marked_buffers(c);
  std::vector<testing::OpenClProgram::Scalar> scalars;
  for (const auto& [bits, bytes] : testing::scalars_of(c)) scalars.push_back({bits, bytes});
  const auto ran =
      program.run(c.entry, buffers, scalars, c.step().groups, c.step().specialisation.workgroup);
  ASSERT_TRUE(ran) << "seed " << c.seed << ": " << ran.error().message;
  EXPECT_EQ(testing::mistake_in(c, buffers), "");
}

void check_batch(std::uint64_t first) {
  std::vector<testing::RandomCase> cases;
  for (std::uint64_t seed = first; seed < first + kBatch; ++seed) {
    auto made = testing::make_random_case(seed);
    ASSERT_TRUE(made) << "seed " << seed << ": " << made.error().message;
    cases.push_back(*std::move(made));
  }
  std::vector<KernelSource> kernels;
  for (const testing::RandomCase& c : cases) kernels.push_back(c.kernel());
  const auto source = opencl_c(kernels);
  ASSERT_TRUE(source) << source.error().message;
  auto program = testing::OpenClProgram::compile(*source);
  ASSERT_TRUE(program) << program.error().message;
  for (const testing::RandomCase& c : cases) check(**program, c);
}

class RandomOpenCl : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomOpenCl, DoesWhatTheInterpreterDoes) {
  ASSERT_TRUE(testing::has_opencl()) << "no OpenCL device; run tools/setup";
  const std::uint32_t batches = testing::cases(300, 10'000) / kBatch;
  for (std::uint32_t batch = GetParam(); batch < batches && !HasFailure(); batch += kParts) {
    check_batch(1 + std::uint64_t{batch} * kBatch);
  }
}

INSTANTIATE_TEST_SUITE_P(Part, RandomOpenCl, ::testing::Range(0U, kParts));

}  // namespace
}  // namespace vyre::emit
