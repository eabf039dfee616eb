// The programs of src/emit/golden do the same on an OpenCL and on a Vulkan device as in the
// interpreter: integers to the bit, floats within the rounding of a few inexact operations.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/program_call.h"
#include "ir/ops.h"
#include "testing/every_device.h"
#include "testing/golden_programs.h"
#include "vyre/program.h"

namespace vyre::emit {
namespace {

// Outputs that depend on which invocation comes last, so that no two devices need agree: the
// programs are there for the text that is emitted for them.
const std::map<std::string, std::vector<std::string>> kDependOnOrder{
    {"atomics", {"h", "g"}},        // exchanges whose results are added to what others see
    {"guards", {"y"}},              // every invocation writes y[n], each another value
    {"reserved_names", {"x"}},      // every invocation writes all of x, each other values
    {"vectors", {"b"}},             // every invocation writes b.x2[k], each another value
    {"statements", {"x", "count"}}  // count[3] is exchanged by all; x[i] depends on who was first
};

// Shapes that some workgroups do not fill, and scalars that do not make everything zero.
cli::CallOptions options_for(const ir::SequenceDef& def) {
  cli::CallOptions out;
  for (const ir::Symbol& s : def.symbols) {
    if (s.kind == ir::SymbolKind::tunable) continue;
    std::string_view value = s.kind == ir::SymbolKind::shape ? "40" : "3";
    if (def.name == "softmax" && s.name == "m") value = "1";  // the workgroups that n fills
    if (s.type == ir::Scalar::boolean) value = "true";
    if (s.type == ir::Scalar::f32) value = "1.5";
    out.sets.push_back(fmt::format("{}={}", s.name, value));
  }
  return out;
}

bool is_near(float a, float b) {
  constexpr float kRelative = 1e-4F;
  constexpr float kAbsolute = 1e-6F;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= kAbsolute + kRelative * std::fabs(a);
}

void expect_equal(const ir::Buffer& b, const std::vector<std::byte>& got,
                  const std::vector<std::byte>& expected) {
  ASSERT_EQ(got.size(), expected.size()) << b.name;
  if (b.element != ir::Scalar::f32) {
    const auto differs = std::ranges::mismatch(got, expected).in1;
    EXPECT_EQ(differs, got.end()) << b.name << ", byte " << differs - got.begin();
    return;
  }
  const auto a = values_of<float>(got);
  const auto e = values_of<float>(expected);
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_TRUE(is_near(a[k], e[k])) << b.name << "[" << k << "]: " << a[k] << ", not " << e[k];
  }
}

void expect_as_interpreted(const std::string& device, const std::string& name) {
  auto def = testing::golden_program(VYRE_SOURCE_DIR, name);
  ASSERT_TRUE(def) << def.error().message;
  const auto sequence = ir::Sequence::make(*std::move(def));
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto call = cli::make_call(*sequence, options_for(sequence->def()), 1U << 27U);
  ASSERT_TRUE(call) << call.error().message;
  const auto got = testing::dispatcher_on(device).dispatch(*sequence, call->call());
  ASSERT_TRUE(got) << got.error().message;
  const auto expected = testing::dispatcher_on("reference").dispatch(*sequence, call->call());
  ASSERT_TRUE(expected) << expected.error().message;
  const auto by_order = kDependOnOrder.find(name);
  std::size_t output = 0;
  for (const ir::Buffer& b : sequence->def().buffers) {
    if (!ir::gives_output(b.access)) continue;
    const std::size_t k = output++;
    if (by_order == kDependOnOrder.end() || !std::ranges::count(by_order->second, b.name)) {
      expect_equal(b, (*got)[k], (*expected)[k]);
    }
  }
}

class GoldenRun : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenRun, DoesWhatTheInterpreterDoes) { expect_as_interpreted("opencl", GetParam()); }

INSTANTIATE_TEST_SUITE_P(OpenCl, GoldenRun,
                         ::testing::ValuesIn(testing::golden_programs(VYRE_SOURCE_DIR)),
                         [](const auto& one) { return one.param; });

class RunOnVulkan : public ::testing::TestWithParam<std::string> {};

TEST_P(RunOnVulkan, DoesWhatTheInterpreterDoes) {
  if (std::ranges::count(testing::every_device(), "vulkan") == 0) {
    GTEST_SKIP() << "no Vulkan device; run tools/setup --all";
  }
  expect_as_interpreted("vulkan", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Vulkan, RunOnVulkan,
                         ::testing::ValuesIn(testing::golden_programs(VYRE_SOURCE_DIR)),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace vyre::emit
