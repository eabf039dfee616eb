#include "testing/random_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>

#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "testing/random_program.h"

namespace vyre::testing {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kMoreBytes = 4096;
constexpr std::byte kMore{0xa5};

template <class T>
void append(Bytes& bytes, T value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

class CaseMaker {
 public:
  explicit CaseMaker(std::uint64_t seed) : seed_(seed), random_(seed) {}

  Expected<RandomCase> make() {
    const bool exact = seed_ % 2 == 0;
    const RandomOptions options{.floats = exact ? Floats::exact : Floats::all, .own_atomics = true};
    auto sequence = ir::Sequence::make(random_program(seed_, options));
    if (!sequence) return std::unexpected(sequence.error());
    RandomCase c{.seed = seed_,
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

  void inputs(RandomCase& c) {
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

bool same_float(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || (std::fabs(a) < FLT_MIN && std::fabs(b) < FLT_MIN);
}

// The first difference between two outputs; empty: none.
std::string difference(const RandomCase& c, const ir::Buffer& b, const Bytes& got,
                       const Bytes& expected) {
  if (b.element != ir::Scalar::f32) {
    const auto differs = std::ranges::mismatch(got, expected).in1;
    if (differs == got.end()) return "";
    return fmt::format("{}: byte {} differs", b.name, differs - got.begin());
  }
  if (!c.exact_floats) return "";
  const auto a = values_of<float>(got);
  const auto e = values_of<float>(expected);
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!same_float(a[k], e[k])) return fmt::format("{}[{}] is {}, not {}", b.name, k, a[k], e[k]);
  }
  return "";
}

}  // namespace

emit::KernelSource RandomCase::kernel() const {
  const Specialisation& fixed = step().specialisation;
  return {&program(), fixed.symbols, fixed.workgroup, entry};
}

Expected<RandomCase> make_random_case(std::uint64_t seed) { return CaseMaker(seed).make(); }

std::vector<PassedScalar> scalars_of(const RandomCase& c) {
  std::vector<PassedScalar> out;
  for (std::size_t k = 0; k < c.program().symbols.size(); ++k) {
    const ir::Symbol& s = c.program().symbols[k];
    if (s.kind == ir::SymbolKind::tunable) continue;
    out.push_back({c.step().symbols[k], ir::byte_size(s.type)});
  }
  return out;
}

std::vector<Bytes> marked_buffers(const RandomCase& c) {
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

std::string mistake_in(const RandomCase& c, const std::vector<Bytes>& buffers) {
  std::size_t output = 0;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    const ir::Buffer& b = c.sequence.def().buffers[k];
    Bytes got = buffers[k];
    const auto end = got.end() - static_cast<std::ptrdiff_t>(kMoreBytes);
    if (std::any_of(end, got.end(), [](std::byte more) { return more != kMore; })) {
      return fmt::format("seed {}: written behind {}", c.seed, b.name);
    }
    got.erase(end, got.end());
    if (!ir::gives_output(b.access)) continue;
    const std::string differs = difference(c, b, got, c.expected[output++]);
    if (!differs.empty()) return fmt::format("seed {}: {}", c.seed, differs);
  }
  return "";
}

}  // namespace vyre::testing
