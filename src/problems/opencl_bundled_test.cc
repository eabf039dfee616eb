// Every bundled problem gives what a plain computation in C++ gives, in its default and in other
// configurations, on every device.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testing/every_device.h"
#include "vyre/problem.h"

namespace vyre {
namespace {

using Floats = std::vector<float>;

Floats input(const Problem& problem, std::size_t k) {
  return values_of<float>((*problem.inputs)[k]);
}

std::size_t size_of(const Problem& problem, const char* name) {
  return static_cast<std::size_t>(problem.sizes.at(name));
}

Floats saxpy(const Problem& p) {
  Floats x = input(p, 0);
  Floats y = input(p, 1);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2.5F * x[i] + y[i];
  return y;
}

Floats reduction(const Problem& p) {
  double sum = 0;
  for (const float x : input(p, 0)) sum += static_cast<double>(x);
  return {static_cast<float>(sum)};
}

Floats softmax(const Problem& p) {
  Floats out = input(p, 0);
  const std::size_t cols = size_of(p, "cols");
  for (std::size_t first = 0; first < out.size(); first += cols) {
    double sum = 0;
    for (std::size_t c = 0; c < cols; ++c) sum += std::exp(static_cast<double>(out[first + c]));
    for (std::size_t c = 0; c < cols; ++c) {
      float& x = out[first + c];
      x = static_cast<float>(std::exp(static_cast<double>(x)) / sum);
    }
  }
  return out;
}

Floats product(const Floats& a, const Floats& b, std::size_t m, std::size_t n, std::size_t k) {
  Floats out(m * n);
  for (std::size_t i = 0; i < m * n; ++i) {
    double sum = 0;
    for (std::size_t t = 0; t < k; ++t) {
      sum += static_cast<double>(a[i / n * k + t]) * static_cast<double>(b[t * n + i % n]);
    }
    out[i] = static_cast<float>(sum);
  }
  return out;
}

Floats matvec(const Problem& p) {
  return product(input(p, 0), input(p, 1), size_of(p, "rows"), 1, size_of(p, "cols"));
}

Floats gemm(const Problem& p) {
  return product(input(p, 0), input(p, 1), size_of(p, "m"), size_of(p, "n"), size_of(p, "k"));
}

Floats transpose(const Problem& p) {
  const std::size_t width = size_of(p, "width");
  const std::size_t height = size_of(p, "height");
  const Floats in = input(p, 0);
  Floats out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i % width * height + i / width] = in[i];
  return out;
}

Floats conv2d(const Problem& p) {
  constexpr std::size_t kFilter = 5;
  const std::size_t width = size_of(p, "width");
  const Floats in = input(p, 0);
  const Floats filter = input(p, 1);
  Floats out(width * size_of(p, "height"));
  for (std::size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (std::size_t f = 0; f < filter.size(); ++f) {
      const std::size_t y = i / width + f / kFilter;
      const std::size_t x = i % width + f % kFilter;
      sum += static_cast<double>(filter[f]) * static_cast<double>(in[y * (width + 4) + x]);
    }
    out[i] = static_cast<float>(sum);
  }
  return out;
}

Floats stencil(const Problem& p) {
  const std::size_t width = size_of(p, "width");
  const std::size_t height = size_of(p, "height");
  const Floats in = input(p, 0);
  Floats out = in;
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const std::size_t i = y * width + x;
      out[i] = 0.5F * in[i] + 0.125F * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
    }
  }
  return out;
}

struct Case {
  const char* name;
  ProblemSizes small;  // where workgroups do not fit evenly, if the kernel allows it
  Floats (*expected)(const Problem&);
  bool is_ours;  // in the kernel language: the interpreter runs it too
};

const Case kCases[] = {
    {"saxpy", {{"n", 1001}}, saxpy, true},
    {"reduction", {{"n", 5003}}, reduction, true},
    {"softmax", {{"rows", 6}, {"cols", 45}}, softmax, true},
    {"transpose", {{"width", 70}, {"height", 45}}, transpose, false},
    {"matvec", {{"rows", 64}, {"cols", 36}}, matvec, true},
    {"gemm", {{"m", 32}, {"n", 64}, {"k", 48}}, gemm, true},
    {"conv2d", {{"width", 50}, {"height", 37}}, conv2d, false},
    {"stencil", {{"width", 70}, {"height", 45}}, stencil, false},
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::string name_of(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

void expect_right(const Problem& problem, std::uint64_t index, const Floats& expected,
                  const std::string& device) {
  std::vector<Input> inputs(problem.inputs->begin(), problem.inputs->end());
  std::vector<Argument> arguments;
  for (const auto& [name, bits] : problem.arguments) arguments.push_back({name, bits});
  const Config config = problem.space.config_at(index);
  const auto outputs = testing::dispatcher_on(device).dispatch(
      problem.sequence, {.inputs = inputs, .arguments = arguments, .config = &config});
  ASSERT_TRUE(outputs) << to_string(config) << ": " << outputs.error().message;
  const Floats got = values_of<float>(outputs->at(0));
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const float allowed = static_cast<float>(problem.tolerance.absolute) +
                          static_cast<float>(problem.tolerance.relative) * std::fabs(expected[i]);
    ASSERT_NEAR(got[i], expected[i], allowed) << to_string(config) << " at " << i;
  }
}

void expect_all_right(const Case& c, const std::string& device) {
  const auto problem = bundled_problem(c.name, c.small);
  ASSERT_TRUE(problem) << problem.error().message;
  const Floats expected = c.expected(*problem);
  std::mt19937_64 random(7);
  expect_right(*problem, problem->default_index, expected, device);
  for (const std::uint64_t index : problem->space.sample_distinct(3, random)) {
    expect_right(*problem, index, expected, device);
  }
}

class Bundled : public ::testing::TestWithParam<Case> {};

TEST_P(Bundled, HasADefaultASpaceAndMetrics) {
  const auto problem = bundled_problem(GetParam().name);
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->name, GetParam().name);
  EXPECT_EQ(problem->warnings, std::vector<std::string>{});
  EXPECT_GE(problem->space.size(), 30U);
  EXPECT_LE(problem->space.size(), 512U);
  EXPECT_LT(problem->default_index, problem->space.size());
  EXPECT_FALSE(problem->metrics.empty());
  // The untuned program is the untuned configuration.
  const Config untuned = problem->space.config_at(problem->default_index);
  for (const ir::Symbol& tunable : problem->sequence.tunables()) {
    const Value* const value = untuned.find(tunable.name);
    ASSERT_NE(value, nullptr) << tunable.name;
    EXPECT_EQ(*value, Value(static_cast<std::int64_t>(tunable.default_bits))) << tunable.name;
  }
  EXPECT_EQ(untuned.size(), problem->sequence.tunables().size());
}

INSTANTIATE_TEST_SUITE_P(All, Bundled, ::testing::ValuesIn(kCases), name_of);

std::vector<Case> ours() {
  std::vector<Case> out;
  std::ranges::copy_if(kCases, std::back_inserter(out), &Case::is_ours);
  return out;
}

class OnTheInterpreter : public ::testing::TestWithParam<Case> {};

TEST_P(OnTheInterpreter, IsRight) { expect_all_right(GetParam(), "reference"); }

INSTANTIATE_TEST_SUITE_P(Ours, OnTheInterpreter, ::testing::ValuesIn(ours()), name_of);

class OnOpencl : public ::testing::TestWithParam<Case> {};

TEST_P(OnOpencl, IsRight) { expect_all_right(GetParam(), "opencl"); }

INSTANTIATE_TEST_SUITE_P(opencl, OnOpencl, ::testing::ValuesIn(kCases), name_of);

TEST(BundledProblems, AreAllTested) {
  std::vector<std::string_view> tested;
  for (const Case& c : kCases) tested.emplace_back(c.name);
  std::vector<std::string_view> bundled;
  for (const BundledProblem& problem : bundled_problems()) bundled.push_back(problem.name);
  EXPECT_EQ(bundled, tested);
}

TEST(BundledProblems, FileAndBundledTextAreTheSameProblem) {
  for (const char* name : {"transpose", "conv2d", "stencil"}) {
    const auto bundled = bundled_problem(name);
    const auto loaded = load_problem(std::filesystem::path(VYRE_SOURCE_DIR) / "kernels" /
                                     (name + std::string(".json")));
    ASSERT_TRUE(bundled && loaded) << name;
    EXPECT_EQ(bundled->sequence.fingerprint(), loaded->sequence.fingerprint()) << name;
  }
}

TEST(BundledProblems, TakeTheNearestDefaultThatTheSizesAllow) {
  const auto problem = bundled_problem("matvec", {{"rows", 48}, {"cols", 8}});
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->warnings,
            std::vector<std::string>{"the default is not possible with these sizes; untuned is "
                                     "block=64, lanes=4, rows_each=1, width=1, unroll=1"});
}

TEST(BundledProblems, RefuseWhatTheyCannotBe) {
  struct Mistake {
    const char* name;
    ProblemSizes sizes;
    const char* message;
  };
  const Mistake mistakes[] = {
      {"saxpi",
       {},
       "there is no bundled problem \"saxpi\"; did you mean \"saxpy\"?; there are "
       "saxpy, reduction, softmax, transpose, matvec, gemm, conv2d, stencil"},
      {"saxpy", {{"length", 5}}, "saxpy: there is no problem size \"length\"; it has: n = 4194304"},
      {"saxpy",
       {{"n", 0}},
       "saxpy: problem size \"n\" cannot be 0; give a number from 1 to 4294967295"},
      {"saxpy",
       {{"n", 4000000000}},
       "saxpy: n = 4000000000 makes an input of 4000000000 elements, above 2 GiB; choose smaller "
       "sizes"},
      {"stencil",
       {{"widt", 5}},
       "stencil: there is no problem size \"widt\"; did you mean "
       "\"width\"?; it has: width = 2048, height = 1024"},
  };
  for (const Mistake& m : mistakes) {
    const auto problem = bundled_problem(m.name, m.sizes);
    ASSERT_FALSE(problem) << m.message;
    EXPECT_EQ(problem.error().message, m.message);
  }
  const auto gemm = bundled_problem("gemm", {{"m", 7}});
  ASSERT_FALSE(gemm);
  EXPECT_TRUE(gemm.error().message.starts_with(
      "gemm: no configuration divides the problem size m = 7, n = 256, k = 256: "))
      << gemm.error().message;
}

}  // namespace
}  // namespace vyre
