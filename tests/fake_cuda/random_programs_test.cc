// Random programs do the same through NVRTC and the interpreter of PTX as in the interpreter of the
// kernel language.

#include <gtest/gtest.h>

#include "emit/cuda/cuda_cpp.h"
#include "fake_cuda/card.h"
#include "testing/nvrtc_compile.h"
#include "testing/random_case.h"
#include "testing/soak.h"

namespace vyre::fake_cuda_test {
namespace {

// Kernels per compilation: so many that its fixed cost is small.
constexpr std::uint32_t kRandomBatch = 50;

void check_random(Card& card, DriverModule module, const testing::RandomCase& c) {
  std::vector<std::vector<std::byte>> buffers = testing::marked_buffers(c);
  std::vector<std::uint64_t> values;  // every parameter, in its low bytes
  for (const auto& bytes : buffers) values.push_back(card.buffer(bytes));
  for (const auto& [bits, bytes] : testing::scalars_of(c)) values.push_back(bits);
  std::vector<void*> parameters;
  for (std::uint64_t& value : values) parameters.push_back(&value);
  parameters.push_back(nullptr);
  const Size size{.blocks = c.step().groups, .threads = c.step().specialisation.workgroup};
  const int error = card.launch_with(card.function(module, c.entry), size, parameters.data());
  ASSERT_EQ(error, 0) << "seed " << c.seed << ": " << last_fault();
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    buffers[k] = card.read<std::byte>(values[k], buffers[k].size());
    EXPECT_EQ(driver().memory_free(values[k]), 0);
  }
  EXPECT_EQ(testing::mistake_in(c, buffers), "");
}

void check_random_batch(std::uint64_t first) {
  std::vector<testing::RandomCase> cases;
  for (std::uint64_t seed = first; seed < first + kRandomBatch; ++seed) {
    auto made = testing::make_random_case(seed);
    ASSERT_TRUE(made) << "seed " << seed << ": " << made.error().message;
    cases.push_back(*std::move(made));
  }
  std::vector<emit::KernelSource> kernels;
  for (const testing::RandomCase& c : cases) kernels.push_back(c.kernel());
  const auto text = emit::cuda_cpp(kernels);
  ASSERT_TRUE(text) << text.error().message;
  const auto compiled =
      testing::nvrtc_compile(*text, "compute_80", testing::nvrtc_program_options());
  ASSERT_TRUE(compiled) << compiled.error().message;
  Card card;
  const DriverModule module = card.load(compiled->code);
  ASSERT_NE(module, nullptr) << card.log;
  for (const testing::RandomCase& c : cases) check_random(card, module, c);
  EXPECT_EQ(driver().module_unload(module), 0);
}

TEST(RandomCuda, DoesWhatTheInterpreterDoes) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << testing::kNoNvrtc;
  const std::uint32_t batches = testing::cases(300, 10'000) / kRandomBatch;
  for (std::uint32_t batch = 0; batch < batches && !HasFailure(); ++batch) {
    check_random_batch(1 + std::uint64_t{batch} * kRandomBatch);
  }
}

}  // namespace
}  // namespace vyre::fake_cuda_test
