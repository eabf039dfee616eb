// Every function on f32 stays within the language's bounds (docs/ir.md) on a Vulkan device, over
// 65 536 inputs from the whole range of f32, infinities and NaN among them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "emit/glsl/glsl.h"
#include "testing/every_device.h"
#include "testing/vulkan_shader.h"
#include "vyre/call.h"
#include "vyre/program.h"

namespace vyre::emit {
namespace {

constexpr std::uint32_t kInputs = 65'536;
using Floats = std::vector<float>;

struct Function {
  std::string name;
  std::string text;  // over a, b and c
  double (*truth)(double a, double b, double c);
  std::int64_t ulps;      // 0: the bits
  double absolute = 0;    // allowed where it is more
  bool is_scaled = true;  // b and c have sizes that go with a; else from the whole range
};

void PrintTo(const Function& function, std::ostream* out) { *out << function.text; }

constexpr double kAbsolute = 0x1p-20;

double largest(double a, double b) { return std::isnan(a) || b > a ? b : a; }
double smallest(double a, double b) { return std::isnan(a) || b < a ? b : a; }

const std::vector<Function> kFunctions{
    {"add", "a + b", [](double a, double b, double) { return a + b; }, 0},
    {"sub", "a - b", [](double a, double b, double) { return a - b; }, 0},
    {"mul", "a * b", [](double a, double b, double) { return a * b; }, 0},
    {"no_contraction", "a * b + c",
     [](double a, double b, double c) {
       return static_cast<double>(static_cast<float>(a * b)) + c;
     },
     0},
    {"div", "a / b", [](double a, double b, double) { return a / b; }, 3},
    {"fma", "fma(a, b, c)",
     [](double a, double b, double c) {
       return double{std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c))};
     },
     0},
    {"min", "min(a, b)", [](double a, double b, double) { return smallest(a, b); }, 0, 0, false},
    {"max", "max(a, b)", [](double a, double b, double) { return largest(a, b); }, 0, 0, false},
    {"neg", "-a", [](double a, double, double) { return -a; }, 0},
    {"abs", "abs(a)", [](double a, double, double) { return std::fabs(a); }, 0},
    {"floor", "floor(a)", [](double a, double, double) { return std::floor(a); }, 0},
    {"ceil", "ceil(a)", [](double a, double, double) { return std::ceil(a); }, 0},
    {"trunc", "trunc(a)", [](double a, double, double) { return std::trunc(a); }, 0},
    {"round", "round(a)", [](double a, double, double) { return std::nearbyint(a); }, 0},
    {"sqrt", "sqrt(a)", [](double a, double, double) { return std::sqrt(a); }, 3},
    {"rsqrt", "rsqrt(a)", [](double a, double, double) { return 1 / std::sqrt(a); }, 4},
    {"exp", "exp(a)", [](double a, double, double) { return std::exp(a); }, 16, kAbsolute},
    {"exp2", "exp2(a)", [](double a, double, double) { return std::exp2(a); }, 16, kAbsolute},
    {"log", "log(a)", [](double a, double, double) { return std::log(a); }, 16, kAbsolute},
    {"log2", "log2(a)", [](double a, double, double) { return std::log2(a); }, 16, kAbsolute},
    {"sin", "sin(a)", [](double a, double, double) { return std::sin(a); }, 16, kAbsolute},
    {"cos", "cos(a)", [](double a, double, double) { return std::cos(a); }, 16, kAbsolute},
    {"tanh", "tanh(a)", [](double a, double, double) { return std::tanh(a); }, 16, kAbsolute},
    {"pow", "pow(a, b)", [](double a, double b, double) { return std::pow(a, b); }, 16, kAbsolute,
     false},
    {"pow_of_near_numbers", "pow(abs(a), b)",
     [](double a, double b, double) { return std::pow(std::fabs(a), b); }, 16, kAbsolute},
};

// Half of the inputs step through all bit patterns; the others lie where functions are used.
Floats first_operands() {
  Floats out;
  for (std::uint32_t k = 0; k < kInputs / 2; ++k) {
    out.push_back(std::bit_cast<float>(k * 131'073U));
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<float> usual(-100.0F, 100.0F);
  std::uniform_real_distribution<float> small(-1.5F, 1.5F);
  while (out.size() < kInputs) out.push_back(random() % 2 == 0 ? usual(random) : small(random));
  return out;
}

// Near -a * b in half of the cases, where few bits of a fused sum are left.
float addend(float a, float b, std::mt19937& random) {
  if (random() % 2 == 0) return std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  const float near = -a * b;
  if (!std::isnormal(near)) return 1;
  const auto step = static_cast<std::uint32_t>(random() % 5);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(near) + step - 2);
}

std::array<Floats, 3> operands(const Function& function) {
  std::array<Floats, 3> out{first_operands(), {}, {}};
  std::mt19937 random(2);
  std::uniform_real_distribution<float> usual(-30.0F, 30.0F);
  for (const float a : out[0]) {
    const bool whole_range = !function.is_scaled || random() % 4 == 0;
    const float b =
        whole_range ? std::bit_cast<float>(static_cast<std::uint32_t>(random())) : usual(random);
    out[1].push_back(random() % 16 == 0 ? std::trunc(b) : b);
    out[2].push_back(addend(a, out[1].back(), random));
  }
  return out;
}

// Numbers below the normal ones may count as zeros.
bool is_tiny(double a) { return std::fabs(a) < double{FLT_MIN}; }
float flushed(float a) { return is_tiny(a) ? std::copysign(0.0F, a) : a; }

// Floats in order as integers: neighbours differ by 1, and infinity follows the largest.
std::int64_t place(float a) {
  const auto bits = std::bit_cast<std::int32_t>(a);
  return bits < 0 ? -std::int64_t{bits & 0x7fffffff} : std::int64_t{bits};
}

bool is_within(const Function& function, float got, double truth) {
  if (std::isnan(truth) || std::isnan(got)) return std::isnan(truth) && std::isnan(got);
  const auto nearest = static_cast<float>(truth);
  if (is_tiny(got) && std::fabs(truth) <= double{FLT_MIN}) return true;
  if (std::fabs(double{got} - truth) <= function.absolute) return true;
  return std::abs(place(got) - place(nearest)) <= function.ulps;
}

bool is_right(const Function& f, float got, float a, float b, float c) {
  if (is_within(f, got, f.truth(a, b, c))) return true;
  if (!is_tiny(a) && !is_tiny(b) && !is_tiny(c)) return false;
  // The sign of a zero is not fixed.
  return is_within(f, got, f.truth(flushed(a), flushed(b), flushed(c))) ||
         is_within(f, got, f.truth(-flushed(a), flushed(b), flushed(c))) ||
         is_within(f, got, f.truth(flushed(a), -flushed(b), flushed(c)));
}

std::string shader_text(const Function& function) {
  const auto program = ir::parse_program(
      fmt::format("program p {{\n  read xa: f32[{0}u]\n  read xb: f32[{0}u]\n  read xc: f32[{0}u]\n"
                  "  write y: f32[{0}u]\n  let i: u32 = global_id(0)\n  let a: f32 = xa[i]\n"
                  "  let b: f32 = xb[i]\n  let c: f32 = xc[i]\n  y[i] = {1}\n}}\n",
                  kInputs, function.text));
  EXPECT_TRUE(program) << program.error().message;
  if (!program) return "";
  const KernelSource kernel{.program = &*program, .symbols = {}, .workgroup = {64, 1, 1}};
  return glsl({&kernel, 1}).value_or("");
}

class FunctionsOnVulkan : public ::testing::TestWithParam<Function> {};

TEST_P(FunctionsOnVulkan, StayWithinTheirBounds) {
  if (const std::string why = testing::why_no_vulkan(); !why.empty()) GTEST_SKIP() << why;
  const auto [a, b, c] = operands(GetParam());
  for (const bool float64 : {false, true}) {
    if (float64 && GetParam().name != "fma") continue;
    std::vector<std::vector<std::byte>> buffers(4, std::vector<std::byte>(kInputs * sizeof(float)));
    for (std::size_t k = 0; k < 3; ++k) {
      std::memcpy(buffers[k].data(), (k == 0 ? a : k == 1 ? b : c).data(), buffers[k].size());
    }
    const auto shader = testing::VulkanShader::compile(shader_text(GetParam()), 4,
                                                       testing::lavapipe_quirks(float64));
    ASSERT_TRUE(shader) << shader.error().message;
    const auto ran = (*shader)->run(buffers, {}, {kInputs / 64, 1, 1});
    ASSERT_TRUE(ran) << ran.error().message;
    Floats got(kInputs);
    std::memcpy(got.data(), buffers[3].data(), buffers[3].size());
    int wrong = 0;
    for (std::size_t k = 0; k < kInputs && wrong < 5; ++k) {
      if (is_right(GetParam(), got[k], a[k], b[k], c[k])) continue;
      ++wrong;
      ADD_FAILURE() << fmt::format("a = {:a}, b = {:a}, c = {:a} give {:a}, not {:a}", a[k], b[k],
                                   c[k], got[k], GetParam().truth(a[k], b[k], c[k]));
    }
  }
}

// Random programs have no casts from f32 to integers, whose values differ between drivers outside
// the range of the type; so here is each cast between numbers, on numbers from the whole range.
constexpr std::string_view kCasts = R"(program casts {
  read f: f32[65536u]
  read w: u64[65536u]
  write u32s: u32[65536u]
  write i32s: i32[65536u]
  write u64s: u64[65536u]
  write i64s: i64[65536u]
  write f32s: f32[262144u]

  let i: u32 = global_id(0)
  let a: f32 = f[i]
  let b: u64 = w[i]
  u32s[i] = u32(a) ^ u32(b) ^ u32(i64(b)) ^ u32(a != 0f)
  i32s[i] = i32(a) ^ i32(b) ^ i32(u32(i64(b)))
  u64s[i] = u64(a) ^ u64(i32(b)) ^ u64(u32(b))
  i64s[i] = i64(a) ^ i64(i32(b)) ^ i64(u32(b))
  f32s[i * 4u] = f32(b)
  f32s[i * 4u + 1u] = f32(i64(b))
  f32s[i * 4u + 2u] = f32(u32(b))
  f32s[i * 4u + 3u] = f32(i32(b))
}
)";

TEST(CastsOnVulkan, AreThoseOfTheInterpreter) {
  if (const std::string why = testing::why_no_vulkan(); !why.empty()) GTEST_SKIP() << why;
  const auto program = ir::parse_program(kCasts);
  ASSERT_TRUE(program) << program.error().message;
  const auto sequence = ir::Sequence::make(*program);
  ASSERT_TRUE(sequence) << sequence.error().message;
  const Floats floats = first_operands();
  std::vector<std::uint64_t> wide;
  std::mt19937_64 random(3);
  for (std::uint32_t k = 0; k < kInputs; ++k) wide.push_back(random() >> (random() % 64));
  const Input inputs[] = {as_input(floats), as_input(wide)};
  const auto expected = testing::dispatcher_on("reference").dispatch(*sequence, {.inputs = inputs});
  ASSERT_TRUE(expected) << expected.error().message;
  std::vector<std::vector<std::byte>> buffers;
  for (const Input input : inputs) buffers.emplace_back(input.begin(), input.end());
  for (const auto& output : *expected) buffers.emplace_back(output.size());
  const KernelSource kernel{.program = &*program, .symbols = {}, .workgroup = {64, 1, 1}};
  const auto shader = testing::VulkanShader::compile(glsl({&kernel, 1}).value_or(""), 7,
                                                     testing::lavapipe_quirks(true));
  ASSERT_TRUE(shader) << shader.error().message;
  const auto ran = (*shader)->run(buffers, {}, {kInputs / 64, 1, 1});
  ASSERT_TRUE(ran) << ran.error().message;
  for (std::size_t k = 0; k < expected->size(); ++k) {
    const auto differs = std::ranges::mismatch(buffers[2 + k], (*expected)[k]).in1;
    EXPECT_EQ(differs, buffers[2 + k].end())
        << "output " << k << ", byte " << differs - buffers[2 + k].begin();
  }
}

INSTANTIATE_TEST_SUITE_P(Glsl, FunctionsOnVulkan, ::testing::ValuesIn(kFunctions),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace vyre::emit
