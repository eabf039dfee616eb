// Random programs, compiled by NVRTC and run by the interpreter of PTX, do what the reference does.
//
// No integer depends on a float in them, so integers must agree to the bit. Half of the programs
// use only float operations that round the same everywhere: their floats must agree too, but for
// zeros, denormals and NaNs. An access outside of a buffer is a fault here.

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <random>

#include "backend/plan.h"
#include "base/error.h"
#include "emit/cuda/cuda_cpp.h"
#include "fake_cuda/card.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "testing/nvrtc_compile.h"
#include "testing/random_program.h"
#include "testing/soak.h"
#include "vyre/call.h"

namespace vyre::fake_cuda_test {
namespace {

using Bytes = std::vector<std::byte>;

// Kernels per compilation: so many that its fixed cost is small.
constexpr std::uint32_t kBatch = 50;

struct RandomCase {
  std::uint64_t seed = 0;
  ir::Sequence sequence;
  std::vector<Argument> arguments;
  std::vector<Bytes> inputs;
  backend::Plan plan;
  Outputs expected;
  std::string entry;

  const ir::Program& program() const { return sequence.def().programs[0]; }
};

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed) {}

  std::uint64_t of_symbol(const ir::Symbol& symbol) {
    if (symbol.kind == ir::SymbolKind::shape) return 1 + random_() % 200;
    if (symbol.type == ir::Scalar::boolean) return random_() % 2;
    if (symbol.type == ir::Scalar::f32) return std::bit_cast<std::uint32_t>(eighths());
    const std::uint64_t bits = random_() % 3 == 0 ? random_() : random_() % 20;
    return ir::byte_size(symbol.type) == 8 ? bits : bits & 0xffffffffU;
  }

  std::uint64_t of_element(ir::Scalar type) {
    if (type == ir::Scalar::f32) return std::bit_cast<std::uint32_t>(eighths());
    return random_() % 2 == 0 ? random_() : random_() % 100;
  }

 private:
  float eighths() { return static_cast<float>(random_() % 65) / 8.0F - 4.0F; }

  std::mt19937_64 random_;
};

void fill_inputs(RandomCase& made, Numbers& numbers) {
  std::vector<std::optional<std::uint64_t>> known;
  for (const ir::Symbol& symbol : made.program().symbols) {
    const bool tunable = symbol.kind == ir::SymbolKind::tunable;
    known.emplace_back(tunable ? symbol.default_bits : numbers.of_symbol(symbol));
    if (!tunable) made.arguments.push_back({symbol.name, *known.back()});
  }
  for (const ir::Buffer& buffer : made.program().buffers) {
    if (!ir::takes_input(buffer.access)) continue;
    const std::size_t size = ir::byte_size(buffer.element);
    Bytes bytes(*ir::fold(made.program(), buffer.length, known) * size);
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      const std::uint64_t bits = numbers.of_element(buffer.element);
      std::memcpy(bytes.data() + at, &bits, size);
    }
    made.inputs.push_back(std::move(bytes));
  }
}

Expected<RandomCase> make_case(std::uint64_t seed) {
  const testing::RandomOptions options{
      .floats = seed % 2 == 0 ? testing::Floats::exact : testing::Floats::all, .own_atomics = true};
  VYRE_TRY(ir::Sequence sequence, ir::Sequence::make(testing::random_program(seed, options)));
  RandomCase made{.seed = seed,
                  .sequence = std::move(sequence),
                  .arguments = {},
                  .inputs = {},
                  .plan = {},
                  .expected = {},
                  .entry = "k" + std::to_string(seed)};
  Numbers numbers(seed);
  fill_inputs(made, numbers);
  const std::vector<Input> views(made.inputs.begin(), made.inputs.end());
  const Call call{.inputs = views, .arguments = made.arguments};
  const auto device = open_reference();
  VYRE_TRY(made.plan, backend::make_plan(made.sequence, call, device->info().limits));
  VYRE_TRY(made.expected, make_dispatcher(device)->dispatch(made.sequence, call));
  return made;
}

bool same_float(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || (std::fabs(a) < FLT_MIN && std::fabs(b) < FLT_MIN);
}

void expect_same(const RandomCase& tested, const ir::Buffer& buffer, const Bytes& got,
                 const Bytes& expected) {
  if (buffer.element != ir::Scalar::f32) {
    EXPECT_EQ(got, expected) << "seed " << tested.seed << ", buffer " << buffer.name;
    return;
  }
  for (std::size_t at = 0; tested.seed % 2 == 0 && at < got.size(); at += sizeof(float)) {
    float a = 0, b = 0;
    std::memcpy(&a, got.data() + at, sizeof a);
    std::memcpy(&b, expected.data() + at, sizeof b);
    ASSERT_TRUE(same_float(a, b)) << "seed " << tested.seed << ", " << buffer.name << "[" << at / 4
                                  << "]: " << a << ", not " << b;
  }
}

void run_and_compare(Card& card, DriverModule module, const RandomCase& tested) {
  const auto& buffers = tested.sequence.def().buffers;
  const backend::StepPlan& step = tested.plan.steps[0];
  std::vector<std::uint64_t> values;  // of the parameters, in order
  std::size_t next = 0;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    const bool reads = ir::takes_input(buffers[k].access);
    const std::size_t bytes = tested.plan.lengths[k] * ir::byte_size(buffers[k].element);
    values.push_back(card.buffer(reads ? tested.inputs[next++] : Bytes(bytes)));
  }
  for (std::size_t k = 0; k < tested.program().symbols.size(); ++k) {
    const bool tunable = tested.program().symbols[k].kind == ir::SymbolKind::tunable;
    if (!tunable) values.push_back(step.symbols[k]);
  }
  std::vector<void*> pointers;
  for (std::uint64_t& value : values) pointers.push_back(&value);
  const Size size{{step.groups[0], step.groups[1], step.groups[2]},
                  {step.specialisation.workgroup[0], step.specialisation.workgroup[1],
                   step.specialisation.workgroup[2]},
                  0};
  ASSERT_EQ(card.launch_with(card.function(module, tested.entry), size, pointers.data()), 0)
      << "seed " << tested.seed << ": " << last_fault();
  std::size_t output = 0;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (!ir::gives_output(buffers[k].access)) continue;
    const Bytes& expected = tested.expected[output++];
    expect_same(tested, buffers[k], card.read<std::byte>(values[k], expected.size()), expected);
  }
}

void check_random_batch(std::uint64_t first) {
  std::vector<RandomCase> cases;
  for (std::uint64_t seed = first; seed < first + kBatch; ++seed) {
    auto made = make_case(seed);
    ASSERT_TRUE(made) << "seed " << seed << ": " << made.error().message;
    cases.push_back(*std::move(made));
  }
  std::vector<emit::KernelSource> kernels;
  for (const RandomCase& one : cases) {
    const Specialisation& fixed = one.plan.steps[0].specialisation;
    kernels.push_back({&one.program(), fixed.symbols, fixed.workgroup, one.entry});
  }
  const auto text = emit::cuda_cpp(kernels);
  ASSERT_TRUE(text) << text.error().message;
  const auto built = testing::nvrtc_compile(*text, "compute_80", testing::nvrtc_program_options());
  ASSERT_TRUE(built) << built.error().message;
  Card card;
  const DriverModule module = card.load(built->code);
  ASSERT_NE(module, nullptr) << card.log;
  for (const RandomCase& one : cases) run_and_compare(card, module, one);
}

TEST(RandomPtx, DoesWhatTheReferenceDoes) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << testing::kNoNvrtc;
  const std::uint32_t batches = testing::cases(300, 10'000) / kBatch;
  for (std::uint32_t batch = 0; batch < batches && !HasFailure(); ++batch) {
    check_random_batch(1 + std::uint64_t{batch} * kBatch);
  }
}

}  // namespace
}  // namespace vyre::fake_cuda_test
