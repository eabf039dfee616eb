// Random programs do the same on an OpenCL device as in the interpreter.
//
// In these programs no integer depends on a float, so integers must agree to the bit. Half of the
// programs use only float operations that round the same everywhere: their floats must agree too,
// except for zeros, denormals and NaNs. The conformance suite tests how far inexact operations may
// differ, one at a time.

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <random>

#include "backend/plan.h"
#include "emit/opencl/opencl_c.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "testing/opencl_compile.h"
#include "testing/random_program.h"
#include "testing/soak.h"
#include "vyre/call.h"
#include "vyre/program.h"

namespace vyre::emit {
namespace {

using Bytes = std::vector<std::byte>;

// Kernels per build: so many that the fixed cost of a build is small.
constexpr std::uint32_t kBatch = 50;

// The work is split into several tests, so that they can run side by side.
constexpr std::uint32_t kParts = 6;

template <class T>
void append(Bytes& bytes, T value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

struct Case {
  std::uint64_t seed = 0;
  bool exact_floats = false;
  ir::Sequence sequence;
  backend::Plan plan;
  std::vector<Bytes> inputs;
  Outputs expected;
  std::string entry;

  const ir::Program& program() const { return sequence.def().programs[0]; }
  const backend::StepPlan& step() const { return plan.steps[0]; }
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : seed_(seed), random_(seed) {}

  Expected<Case> make() {
    const bool exact = seed_ % 2 == 0;
    const testing::RandomOptions options{
        .floats = exact ? testing::Floats::exact : testing::Floats::all, .own_atomics = true};
    auto sequence = ir::Sequence::make(testing::random_program(seed_, options));
    if (!sequence) return std::unexpected(sequence.error());
    Case c{.seed = seed_,
           .exact_floats = exact,
           .sequence = *sequence,
           .plan = {},
           .inputs = {},
           .expected = {},
           .entry = "k" + std::to_string(seed_)};
    arguments(c.program());
    inputs(c);
    std::vector<Input> views(c.inputs.begin(), c.inputs.end());
    const Call call{.inputs = views, .arguments = arguments_};
    const auto device = open_reference();
    auto plan = backend::make_plan(c.sequence, call, device->info().limits);
    if (!plan) return std::unexpected(plan.error());
    c.plan = *std::move(plan);
    auto outputs = make_dispatcher(device)->dispatch(c.sequence, call);
    if (!outputs) return std::unexpected(outputs.error());
    c.expected = *std::move(outputs);
    return c;
  }

 private:
  void arguments(const ir::Program& program) {
    for (const ir::Symbol& s : program.symbols) {
      known_.push_back(s.kind == ir::SymbolKind::tunable ? s.default_bits : value(s));
      if (s.kind != ir::SymbolKind::tunable) arguments_.push_back({s.name, known_.back()});
    }
  }

  std::uint64_t value(const ir::Symbol& s) {
    if (s.kind == ir::SymbolKind::shape) return 1 + random_() % 300;
    if (s.type == ir::Scalar::boolean) return random_() % 2;
    if (s.type == ir::Scalar::f32) return std::bit_cast<std::uint32_t>(eighths());
    const std::uint64_t bits = random_() % 3 == 0 ? random_() : random_() % 20;
    return ir::byte_size(s.type) == 8 ? bits : bits & 0xffffffffU;
  }

  float eighths() { return static_cast<float>(random_() % 65) / 8.0F - 4.0F; }

  void inputs(Case& c) {
    std::vector<std::optional<std::uint64_t>> known(known_.begin(), known_.end());
    for (const ir::Buffer& b : c.program().buffers) {
      if (!ir::takes_input(b.access)) continue;
      Bytes bytes;
      for (auto left = *ir::fold(c.program(), b.length, known); left > 0; --left) {
        if (b.element == ir::Scalar::f32)
          append(bytes, eighths());
        else if (ir::byte_size(b.element) == 8)
          append(bytes, random_() % 2 == 0 ? std::uint64_t{random_()} : random_() % 100);
        else
          append(bytes, static_cast<std::uint32_t>(random_() >> (random_() % 2 == 0 ? 32 : 58)));
      }
      c.inputs.push_back(std::move(bytes));
    }
  }

  std::uint64_t seed_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> known_;
  std::vector<Argument> arguments_;
};

// Memory behind each buffer, filled with a mark. A read there gives a value that is not 0, and a
// write there is noticed.
constexpr std::size_t kMoreBytes = 4096;
constexpr std::byte kMore{0xa5};

std::vector<Bytes> device_buffers(const Case& c) {
  std::vector<Bytes> out;
  std::size_t next = 0;
  for (std::size_t k = 0; k < c.sequence.def().buffers.size(); ++k) {
    const ir::Buffer& b = c.sequence.def().buffers[k];
    if (ir::takes_input(b.access))
      out.push_back(c.inputs[next++]);
    else
      out.emplace_back(c.plan.lengths[k] * ir::byte_size(b.element));
    out.back().resize(out.back().size() + kMoreBytes, kMore);
  }
  return out;
}

std::vector<testing::OpenClProgram::Scalar> scalars(const Case& c) {
  std::vector<testing::OpenClProgram::Scalar> out;
  for (std::size_t k = 0; k < c.program().symbols.size(); ++k) {
    const ir::Symbol& s = c.program().symbols[k];
    if (s.kind == ir::SymbolKind::tunable) continue;
    out.push_back({c.step().symbols[k], ir::byte_size(s.type)});
  }
  return out;
}

bool same_float(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || (std::fabs(a) < FLT_MIN && std::fabs(b) < FLT_MIN);
}

void expect_same(const Case& c, const ir::Buffer& b, const Bytes& got, const Bytes& expected) {
  if (b.element != ir::Scalar::f32) {
    const auto differs = std::ranges::mismatch(got, expected).in1;
    EXPECT_EQ(differs, got.end()) << "seed " << c.seed << ", buffer " << b.name << ", byte "
                                  << differs - got.begin();
    return;
  }
  if (!c.exact_floats) return;
  const auto a = values_of<float>(got);
  const auto e = values_of<float>(expected);
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_TRUE(same_float(a[k], e[k]))
        << "seed " << c.seed << ", " << b.name << "[" << k << "]: " << a[k] << ", not " << e[k];
  }
}

void check(testing::OpenClProgram& program, const Case& c) {
  std::vector<Bytes> buffers = device_buffers(c);
  const auto ran =
      program.run(c.entry, buffers, scalars(c), c.step().groups, c.step().specialisation.workgroup);
  ASSERT_TRUE(ran) << "seed " << c.seed << ": " << ran.error().message;
  std::size_t output = 0;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    const ir::Buffer& b = c.sequence.def().buffers[k];
    EXPECT_TRUE(std::all_of(buffers[k].end() - kMoreBytes, buffers[k].end(),
                            [](std::byte more) { return more == kMore; }))
        << "seed " << c.seed << ", written behind " << b.name;
    buffers[k].resize(buffers[k].size() - kMoreBytes);
    if (ir::gives_output(b.access)) expect_same(c, b, buffers[k], c.expected[output++]);
  }
}

void check_batch(std::uint64_t first) {
  std::vector<Case> cases;
  for (std::uint64_t seed = first; seed < first + kBatch; ++seed) {
    auto made = Maker(seed).make();
    ASSERT_TRUE(made) << "seed " << seed << ": " << made.error().message;
    cases.push_back(*std::move(made));
  }
  std::vector<KernelSource> kernels;
  for (const Case& c : cases) {
    const Specialisation& fixed = c.step().specialisation;
    kernels.push_back({&c.program(), fixed.symbols, fixed.workgroup, c.entry});
  }
  const auto source = opencl_c(kernels);
  ASSERT_TRUE(source) << source.error().message;
  auto program = testing::OpenClProgram::compile(*source);
  ASSERT_TRUE(program) << program.error().message;
  for (const Case& c : cases) check(**program, c);
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
