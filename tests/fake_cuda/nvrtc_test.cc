// What the real NVRTC makes of CUDA C++, run by the interpreter, gives what the host computes.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

#include "emit/cuda/cuda_cpp.h"
#include "fake_cuda/card.h"
#include "fake_cuda/cuda_kernels.h"
#include "testing/golden_programs.h"
#include "testing/nvrtc_compile.h"
#include "testing/soak.h"

namespace vyre::fake_cuda_test {
namespace {

using testing::kNoNvrtc;

std::string ptx_of(const std::string& text, const std::string& architecture) {
  const auto built = testing::nvrtc_compile(text, architecture, testing::nvrtc_program_options());
  EXPECT_TRUE(built) << built.error().message;
  return built ? built->code : "";
}

// The kernels of cuda_kernels.h, compiled once.
const std::string& kernels() {
  static const std::string text = ptx_of(std::string(kCudaKernels), "compute_80");
  return text;
}

template <class T>
std::vector<T> numbers(std::size_t count, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> out;
  for (std::size_t at = 0; at < count; ++at) {
    if constexpr (std::is_floating_point_v<T>) {
      out.push_back(std::ldexp(std::uniform_real_distribution<T>(-2, 2)(random),
                               static_cast<int>(random() % 9) - 4));
    } else {
      const auto bits = static_cast<T>(random() >> (random() % 64));
      out.push_back(bits != 0 ? bits : T{1});  // divisors, too
    }
  }
  return out;
}

constexpr std::uint32_t kThreads = 64, kBlocks = 4, kCount = kThreads * kBlocks;
constexpr Size kSize{{kBlocks, 1, 1}, {kThreads, 1, 1}, 0};

// Runs a kernel of two inputs; `each` results for each pair.
template <class T>
std::vector<T> results(const char* name, const std::vector<T>& a, const std::vector<T>& b,
                       std::size_t each) {
  Card card;
  const DriverModule module = card.load(kernels());
  EXPECT_NE(module, nullptr) << card.log;
  if (module == nullptr) return {};
  const DriverPointer out = card.buffer(std::vector<T>(a.size() * each));
  EXPECT_EQ(card.launch(card.function(module, name), kSize, out, card.buffer(a), card.buffer(b)), 0)
      << last_fault();
  return card.read<T>(out, a.size() * each);
}

TEST(Nvrtc, IntegersAreTheHosts) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << kNoNvrtc;
  const auto a = numbers<std::int32_t>(kCount, 1), b = numbers<std::int32_t>(kCount, 2);
  const auto out = results("integers", a, b, 16);
  ASSERT_EQ(out.size(), kCount * 16U);
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::int64_t x = a[i], y = b[i];
    const auto ux = static_cast<std::uint32_t>(a[i]), uy = static_cast<std::uint32_t>(b[i]);
    const auto* of = &out[16 * i];
    const auto u = [of](std::size_t at) { return static_cast<std::uint32_t>(of[at]); };
    EXPECT_EQ(of[0], static_cast<std::int32_t>(x / y));
    EXPECT_EQ(of[1], x % y);
    EXPECT_EQ(u(2), ux / uy);
    EXPECT_EQ(u(3), ux % uy);
    EXPECT_EQ(of[4], (x * y) >> 32);
    EXPECT_EQ(u(5), (std::uint64_t{ux} * uy) >> 32);
    EXPECT_EQ(of[6], x / 7 + x % 13);
    EXPECT_EQ(u(7), ux / 1000);
    EXPECT_EQ(of[8], std::popcount(ux) + std::countl_zero(ux) + std::countr_zero(ux) + 1);
    EXPECT_EQ(u(11),
              static_cast<std::uint32_t>(((std::uint64_t{uy} << 32 | ux) << (uy & 31)) >> 32));
    EXPECT_EQ(u(13), std::rotl(ux, static_cast<int>(uy & 31)));
    EXPECT_EQ(of[14], x >> (uy & 31));
    EXPECT_EQ(of[15], (x < y) + 2 * (ux < uy) + 4 * (x == y));
  }
}

TEST(Nvrtc, WideIntegersAreTheHosts) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << kNoNvrtc;
  using U = std::uint64_t;
  const auto a = numbers<std::int64_t>(kCount, 3), b = numbers<std::int64_t>(kCount, 4);
  const auto out = results("wide_integers", a, b, 10);
  ASSERT_EQ(out.size(), kCount * 10U);
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::int64_t x = a[i], y = b[i];
    const U ux = static_cast<U>(x), uy = static_cast<U>(y);
    const auto* of = &out[10 * i];
    const auto u = [of](std::size_t at) { return static_cast<U>(of[at]); };
    EXPECT_EQ(of[0], x / y);
    EXPECT_EQ(of[1], x % y);
    EXPECT_EQ(u(2), ux / uy);
    EXPECT_EQ(u(3), ux % uy);
    EXPECT_EQ(of[4], static_cast<std::int64_t>((__int128{x} * y) >> 64));
    EXPECT_EQ(u(5), static_cast<U>(((unsigned __int128){ux} * uy) >> 64));
    EXPECT_EQ(u(6), ux * uy + static_cast<U>(static_cast<std::int32_t>(x)));
    EXPECT_EQ(u(8), static_cast<U>(x >> (uy & 63)) ^ (ux >> (uy & 63)) ^ (ux << (uy & 63)));
    EXPECT_EQ(of[9], x / 1000003 + static_cast<std::uint16_t>(y) + static_cast<std::int8_t>(x));
  }
}

// With --fmad=false and correct rounding, every bit is the host's.
TEST(Nvrtc, FloatsAreTheHostsToTheBit) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << kNoNvrtc;
  const auto a = numbers<float>(kCount, 5), b = numbers<float>(kCount, 6);
  const auto out = results("floats", a, b, 12);
  ASSERT_EQ(out.size(), kCount * 12U);
  for (std::size_t i = 0; i < kCount; ++i) {
    const float x = a[i], y = b[i];
    const std::array<float, 12> expected{
        x * y + x,
        x / y,
        std::sqrt(std::fabs(x)),
        std::fma(x, y, -x),
        std::floor(x) + std::ceil(y),
        std::rint(x) - std::trunc(y),
        std::min(x, y),
        std::max(x, y),
        std::copysign(x, y),
        std::trunc(x) + std::trunc(std::fabs(y)),
        static_cast<float>(static_cast<double>(x) * static_cast<double>(y)),
        std::min(x, y)};
    for (std::size_t k = 0; k < 12; ++k) {
      EXPECT_EQ(out[12 * i + k], expected[k]) << "result " << k << " of " << x << ", " << y;
    }
  }
}

TEST(Nvrtc, FunctionsAreCloseToTheHosts) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << kNoNvrtc;
  auto a = numbers<float>(kCount, 7);
  a[0] = 123456.0F;  // needs the long way of sin and cos
  a[1] = -3e9F;
  const auto out = results("functions", a, a, 10);
  ASSERT_EQ(out.size(), kCount * 10U);
  for (std::size_t i = 0; i < kCount; ++i) {
    const double x = static_cast<double>(a[i]), size = std::fabs(x);
    const std::array<double, 10> expected{
        std::exp(x),       std::log(size),  std::sin(x),
        std::cos(x),       std::tanh(x),    std::pow(size, static_cast<double>(1.7F)),
        std::exp2(x),      std::log2(size), 1 / std::sqrt(size),
        std::fmod(x, 0.75)};
    for (std::size_t k = 0; k < 10; ++k) {
      const double got = static_cast<double>(out[10 * i + k]);
      if (expected[k] > 3e38) {
        EXPECT_TRUE(std::isinf(got)) << "result " << k << " of " << x;
      } else {
        EXPECT_NEAR(got, expected[k], 1e-6 * std::fabs(expected[k]) + 2e-7)
            << "result " << k << " of " << x;
      }
    }
  }
}

TEST(Nvrtc, DoublesAreTheHosts) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << kNoNvrtc;
  auto a = numbers<double>(kCount, 8);
  a[0] = 1e9 + 0.1;
  const auto out = results("doubles", a, a, 6);
  ASSERT_EQ(out.size(), kCount * 6U);
  for (std::size_t i = 0; i < kCount; ++i) {
    const double x = a[i];
    EXPECT_EQ(out[6 * i], x / 3.0 + x * 7.0);
    EXPECT_EQ(out[6 * i + 1], std::sqrt(std::fabs(x)));
    EXPECT_TRUE(x > 700 || std::fabs(out[6 * i + 2] / std::exp(x) - 1) < 1e-14) << x;
    EXPECT_NEAR(out[6 * i + 3], std::sin(x), 1e-15);
    EXPECT_NEAR(out[6 * i + 4] / std::pow(std::fabs(x), 1.7), 1.0, 1e-14);
    EXPECT_EQ(out[6 * i + 5], static_cast<double>(static_cast<float>(x)) + std::trunc(x));
  }
}

TEST(Nvrtc, StructsFunctionsAndConstants) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << kNoNvrtc;
  struct Choice {
    std::array<std::int32_t, 4> which;
    float scale;
  };
  const Choice choice{{2, 0, 3, 1}, 0.25F};
  Card card;
  const DriverModule module = card.load(kernels());
  ASSERT_NE(module, nullptr) << card.log;
  const auto data = numbers<float>(32, 9);
  const DriverPointer out = card.buffer(std::vector<float>(8));
  ASSERT_EQ(card.launch(card.function(module, "structs"), {{1, 1, 1}, {8, 1, 1}, 0}, out,
                        card.buffer(data), choice),
            0)
      << last_fault();
  const auto sums = card.read<float>(out, 8);
  constexpr std::array<float, 4> kWeights{0.5F, 1.5F, -2.0F, 4.0F};
  for (std::size_t thread = 0; thread < 8; ++thread) {
    float sum = 0;
    for (std::size_t k = thread; k < thread + 6; ++k) {
      const auto which = static_cast<std::size_t>(choice.which[k & 3]);
      sum += data[4 * thread + which] * kWeights[k & 3] * choice.scale;
    }
    EXPECT_EQ(sums[thread], sum);
  }
}

TEST(Nvrtc, SharedMemoryBarriersLanesAndAtomics) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << kNoNvrtc;
  Card card;
  const DriverModule module = card.load(kernels());
  ASSERT_NE(module, nullptr) << card.log;
  std::vector<std::uint32_t> data(1000);
  for (std::uint32_t at = 0; at < 1000; ++at) data[at] = at * 2654435761U >> 20;
  const DriverPointer out = card.buffer(std::vector<std::uint32_t>{0, 0, 0, 7, 9, 0});
  ASSERT_EQ(card.launch(card.function(module, "sums"), {{3, 1, 1}, {64, 1, 1}, 256}, out,
                        card.buffer(data), std::uint32_t{1000}),
            0)
      << last_fault();
  std::array<std::uint32_t, 192> of_thread{};
  for (std::uint32_t at = 0; at < 1000; ++at) of_thread[at % 192] += data[at];
  std::array<std::uint32_t, 3> of_block{};
  for (std::uint32_t at = 0; at < 192; ++at) of_block[at / 64] += of_thread[at];
  EXPECT_EQ(card.read<std::uint32_t>(out, 6),
            (std::vector<std::uint32_t>{
                of_block[0] + of_block[1] + of_block[2], *std::ranges::max_element(of_thread),
                of_block[0] ^ of_block[1] ^ of_block[2],
                std::accumulate(data.begin(), data.begin() + 32, 0U), 1, 1}));
}

TEST(Nvrtc, Choices) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << kNoNvrtc;
  Card card;
  const DriverModule module = card.load(kernels());
  ASSERT_NE(module, nullptr) << card.log;
  const std::vector<std::int32_t> which{3, 0, 1, 6, 2, 4, 5, 77, 1, 8};
  const DriverPointer out = card.buffer(std::vector<std::int32_t>(50));
  ASSERT_EQ(card.launch(card.function(module, "choices"), {{1, 1, 1}, {9, 1, 1}, 0}, out,
                        card.buffer(which)),
            0)
      << last_fault();
  EXPECT_EQ(card.read<std::int32_t>(out, 9),
            (std::vector<std::int32_t>{6, 10, 18, 4, -2, 2, 36, 99, 24}));
}

// Every golden program: no opcode is unknown.
class NvrtcLoads : public ::testing::TestWithParam<int> {};

TEST_P(NvrtcLoads, EveryGoldenProgram) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << kNoNvrtc;
  const bool edge = GetParam() == 75 || GetParam() == 120;
  if (!edge && !testing::soaking()) GTEST_SKIP() << "between two others; make soak runs it";
  const Wish wish("VYRE_FAKE_CUDA_ARCH", std::to_string(GetParam()));
  std::vector<ir::SequenceDef> all;
  for (const std::string& name : testing::golden_programs(VYRE_SOURCE_DIR)) {
    auto sequence = testing::golden_program(VYRE_SOURCE_DIR, name);
    ASSERT_TRUE(sequence) << sequence.error().message;
    all.push_back(*std::move(sequence));
  }
  const auto text = testing::emitted(emit::cuda_cpp, all, "k");
  ASSERT_TRUE(text) << text.error().message;
  Card card;
  EXPECT_NE(card.load(ptx_of(*text, "compute_" + std::to_string(GetParam()))), nullptr) << card.log;
  EXPECT_NE(card.load(ptx_of(std::string(kCudaKernels), "compute_" + std::to_string(GetParam()))),
            nullptr)
      << card.log;
}

INSTANTIATE_TEST_SUITE_P(Nvidia, NvrtcLoads, ::testing::Values(75, 80, 90, 120),
                         [](const auto& one) { return "sm_" + std::to_string(one.param); });

}  // namespace
}  // namespace vyre::fake_cuda_test
