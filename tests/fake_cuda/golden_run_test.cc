// The golden programs, emitted as CUDA C++, compiled by NVRTC and run by the interpreter of PTX,
// give what the reference interpreter of the kernel language gives: integers to the bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "base/error.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "testing/golden_programs.h"
#include "testing/nvrtc_compile.h"
#include "testing/test_tools.h"
#include "vyre/call.h"
#include "vyre/cuda.h"

namespace vyre::fake_cuda_test {
namespace {

using Bytes = std::vector<std::byte>;

// Opened once: a compiler's first call is its slowest.
Dispatcher* on_ptx() {
  static const std::unique_ptr<Dispatcher> made = []() -> std::unique_ptr<Dispatcher> {
    auto opened =
        open_cuda({}, {.driver = VYRE_FAKE_CUDA, .compiler = testing::nvrtc_library()->string()});
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? make_dispatcher(opened->front()) : nullptr;
  }();
  return made.get();
}

// In these, invocations write the same element or use what an atomic found, so that their order
// shows. One invocation alone has none.
constexpr std::array<std::string_view, 3> kOrderMatters{"atomics", "guards", "vectors"};

Expected<ir::SequenceDef> program_of(const std::string& name) {
  VYRE_TRY(ir::SequenceDef def, testing::golden_program(VYRE_SOURCE_DIR, name));
  if (std::ranges::find(kOrderMatters, name) == kOrderMatters.end()) return def;
  std::string text = ir::print(def.programs[0]);
  text.insert(text.find("\n\n"), "\n  workgroup [1u]\n  grid [1u]");
  return ir::parse(text);
}

struct Inputs {
  std::vector<Bytes> buffers;
  std::vector<Argument> arguments;
};

// Small whole numbers, and eighths for floats: every operation but the transcendental is exact.
Inputs inputs_of(const ir::Sequence& sequence) {
  std::mt19937 random(7);
  Inputs made;
  std::vector<std::optional<std::uint64_t>> known;
  for (const ir::Symbol& symbol : sequence.def().symbols) {
    std::uint64_t bits = symbol.default_bits;
    if (symbol.kind != ir::SymbolKind::tunable) {
      // softmax's second shape counts its workgroups of 64.
      const bool count = symbol.name == "m" && sequence.def().name == "softmax";
      bits = symbol.kind == ir::SymbolKind::shape ? (count ? 1 : 64)
             : symbol.type == ir::Scalar::f32     ? std::bit_cast<std::uint32_t>(1.5F)
                                                  : 1;
      made.arguments.push_back({symbol.name, bits});
    }
    known.emplace_back(bits);
  }
  for (const ir::Buffer& buffer : sequence.def().buffers) {
    if (!ir::takes_input(buffer.access)) continue;
    Bytes bytes(*ir::fold(sequence.def(), buffer.length, known) * ir::byte_size(buffer.element));
    for (std::size_t at = 0; at < bytes.size(); at += ir::byte_size(buffer.element)) {
      const auto number = static_cast<std::uint32_t>(random() % 61);
      const std::uint32_t word =
          buffer.element == ir::Scalar::f32
              ? std::bit_cast<std::uint32_t>(static_cast<float>(number) / 8 - 4)
          : buffer.element == ir::Scalar::boolean ? number % 2
                                                  : number;
      std::memcpy(bytes.data() + at, &word, sizeof word);
    }
    made.buffers.push_back(std::move(bytes));
  }
  return made;
}

void expect_equal(const ir::Buffer& buffer, const Bytes& got, const Bytes& expected) {
  ASSERT_EQ(got.size(), expected.size()) << buffer.name;
  if (buffer.element != ir::Scalar::f32) {
    EXPECT_EQ(got, expected) << buffer.name;
    return;
  }
  for (std::size_t at = 0; at < got.size(); at += 4) {
    float a = 0, b = 0;
    std::memcpy(&a, got.data() + at, 4);
    std::memcpy(&b, expected.data() + at, 4);
    const bool close = a == b || std::fabs(a - b) <= 1e-5F * std::fabs(b) + 1e-6F;
    EXPECT_TRUE(close || (std::isnan(a) && std::isnan(b)))
        << buffer.name << "[" << at / 4 << "] is " << a << ", not " << b;
  }
}

class GoldenOnPtx : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenOnPtx, GivesWhatTheReferenceGives) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << testing::kNoNvrtc;
  auto def = program_of(GetParam());
  ASSERT_TRUE(def) << def.error().message;
  const auto sequence = ir::Sequence::make(*std::move(def));
  ASSERT_TRUE(sequence) << sequence.error().message;
  const Inputs inputs = inputs_of(*sequence);
  const std::vector<Input> views(inputs.buffers.begin(), inputs.buffers.end());
  const Call call{.inputs = views, .arguments = inputs.arguments};
  const auto expected = make_dispatcher(open_reference())->dispatch(*sequence, call);
  ASSERT_TRUE(expected) << expected.error().message;
  ASSERT_NE(on_ptx(), nullptr);
  const auto got = on_ptx()->dispatch(*sequence, call);
  ASSERT_TRUE(got) << got.error().message;
  std::size_t next = 0;
  for (const ir::Buffer& buffer : sequence->def().buffers) {
    if (!ir::gives_output(buffer.access)) continue;
    expect_equal(buffer, (*got)[next], (*expected)[next]);
    ++next;
  }
  EXPECT_EQ(next, got->size());
}

INSTANTIATE_TEST_SUITE_P(Cuda, GoldenOnPtx,
                         ::testing::ValuesIn(testing::golden_programs(VYRE_SOURCE_DIR)),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace vyre::fake_cuda_test
