#include "testing/random_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <random>

#include "base/check.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "testing/random_step.h"

namespace vyre::testing {
namespace {

using ir::Scalar;

class ChainWriter {
 public:
  explicit ChainWriter(std::uint64_t seed) : random_(seed) {}

  std::string write() {
    inputs();
    const std::uint64_t steps = 2 + below(4);
    for (std::uint64_t k = 0; k < steps; ++k) add_step(k, k + 1 == steps);
    if (chance(12)) {
      runs_ += fmt::format("  repeat {} .. {} until flag limit 2\n", below(2), steps);
    }
    return programs_ + fmt::format(
                           "sequence chain {{\n  shape rows: u32\n  shape cols: u32\n"
                           "  scalar s: f32\n  scalar t: u32\n{}{}}}\n",
                           declarations_, runs_);
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool chance(std::uint64_t one_in) { return below(one_in) == 0; }

  struct Known {
    ChainBuffer buffer;
    bool can_write = false;
  };

  Scalar any_type() {
    static constexpr Scalar kTypes[] = {Scalar::f32, Scalar::f32, Scalar::f32, Scalar::u32,
                                        Scalar::i32};
    return kTypes[below(std::size(kTypes))];
  }

  ChainBuffer declare(const char* access, const std::string& name, Scalar type, Span span) {
    declarations_ +=
        fmt::format("  {} {}: {}[{}]\n", access, name, ir::name_of(type), length_text(span));
    known_.push_back({{name, type, span}, std::string_view(access) != "read"});
    return known_.back().buffer;
  }

  void inputs() {
    declare("read", "x", Scalar::f32, Span::matrix);
    declare("read", "y", any_type(), Span::matrix);
    declare("read", "gain", Scalar::f32, Span::column);
    declare("read", "shift", any_type(), Span::row);
    declare("read_write", "state", any_type(), Span::matrix);
    if (chance(3)) declare("read_write", "memory", any_type(), Span::row);
    declarations_ += "  read flag: u32[1u]\n";
  }

  StepKind any_kind() {
    const std::uint64_t pick = below(100);
    if (pick < 32) return StepKind::map;
    if (pick < 58) return StepKind::map2;
    if (pick < 72) return StepKind::row_sum;
    if (pick < 81) return StepKind::row_write;
    if (pick < 88) return StepKind::column_sum;
    if (pick < 93) return StepKind::slide;
    return pick < 97 ? StepKind::group_sum : StepKind::atomic_count;
  }

  Span span_of(StepKind kind) {
    if (kind == StepKind::map2 || kind == StepKind::row_write || kind == StepKind::slide) {
      return Span::matrix;
    }
    if (kind == StepKind::column_sum) return Span::column;
    if (kind != StepKind::map) return Span::row;
    if (last_span_ == Span::row && chance(2)) return Span::row;
    return chance(8) ? Span::column : chance(6) ? Span::row : Span::matrix;
  }

  void add_step(std::uint64_t k, bool is_last) {
    StepPlan step{.kind = any_kind(), .name = fmt::format("p{}", k), .reads = {}, .output = {}};
    const Span span = span_of(step.kind);
    const bool is_new = !choose_written(step, span);
    if (is_new) {
      const Scalar type = step.kind == StepKind::atomic_count ? Scalar::u32 : any_type();
      const bool is_output = is_last || chance(3);
      step.output = declare(is_output ? "write" : "scratch", fmt::format("b{}", k), type, span);
    }
    choose_reads(step);
    programs_ += program_text(step, random_);
    std::string names;
    for (const ChainBuffer& b : step.reads) names += b.name + ", ";
    runs_ += fmt::format("  run {}({}{}; rows = rows, cols = cols, s = s, t = t)\n", step.name,
                         names, step.output.name);
    last_ = step.output.name;
    last_span_ = span;
  }

  // A buffer that is there already: mostly updated in place, at times written anew.
  bool choose_written(StepPlan& step, Span span) {
    if (step.kind == StepKind::group_sum || !chance(4)) return false;
    std::vector<ChainBuffer> fitting;
    for (const Known& k : known_) {
      const bool counts = step.kind != StepKind::atomic_count || k.buffer.type == Scalar::u32;
      if (k.can_write && k.buffer.span == span && counts) fitting.push_back(k.buffer);
    }
    if (fitting.empty()) return false;
    step.output = fitting[below(fitting.size())];
    step.in_place = !chance(6);
    return true;
  }

  // Mostly the last output, and one or two others.
  void choose_reads(StepPlan& step) {
    const auto add = [&](const ChainBuffer& b) {
      const auto is_same = [&](const ChainBuffer& other) { return other.name == b.name; };
      if (b.name == step.output.name || std::ranges::any_of(step.reads, is_same)) return;
      step.reads.push_back(b);
    };
    for (const Known& k : known_) {
      if (k.buffer.name == last_ && !chance(5)) add(k.buffer);
    }
    for (std::uint64_t more = 1 + below(2); more > 0; --more) {
      add(known_[below(known_.size())].buffer);
    }
    if (step.reads.empty()) add(known_[0].buffer);
  }

  std::mt19937_64 random_;
  std::vector<Known> known_;
  std::string last_;
  Span last_span_ = Span::matrix;
  std::string programs_, declarations_, runs_;
};

float any_float(std::mt19937_64& random) {
  using Limits = std::numeric_limits<float>;
  switch (random() % 40) {
    case 0:
      return Limits::quiet_NaN();
    case 1:
      return Limits::infinity();
    case 2:
      return -Limits::infinity();
    case 3:
      return Limits::denorm_min() * static_cast<float>(random() % 1000);
    case 4:
      return -0.0F;
    default:
      return static_cast<float>(random() % 2048) / 256.0F - 4.0F;
  }
}

std::uint32_t any_bits(Scalar type, std::mt19937_64& random) {
  if (type == Scalar::f32) return std::bit_cast<std::uint32_t>(any_float(random));
  const auto bits = static_cast<std::uint32_t>(random());
  return random() % 3 == 0 ? bits : bits % 16 - (type == Scalar::i32 ? 8 : 0);
}

}  // namespace

RandomChain random_chain(std::uint64_t seed) {
  std::string text = ChainWriter(seed).write();
  auto def = ir::parse(text);
  VYRE_CHECK(def);
  auto sequence = ir::Sequence::make(*std::move(def));
  VYRE_CHECK(sequence);
  return {seed, std::move(text), *std::move(sequence)};
}

RandomCall random_call(const RandomChain& chain, std::uint32_t rows, std::uint32_t cols) {
  const ir::SequenceDef& def = chain.sequence.def();
  std::mt19937_64 random(chain.seed * 31 + rows * 7 + cols);
  RandomCall out;
  out.arguments = {{"rows", rows},
                   {"cols", cols},
                   {"s", any_bits(Scalar::f32, random)},
                   {"t", any_bits(Scalar::u32, random)}};
  std::vector<std::optional<std::uint64_t>> known(def.symbols.size());
  for (std::size_t k = 0; k < def.symbols.size(); ++k) {
    for (const auto& [name, bits] : out.arguments) {
      if (def.symbols[k].name == name) known[k] = bits;
    }
  }
  for (const ir::Buffer& buffer : def.buffers) {
    if (!ir::takes_input(buffer.access)) continue;
    std::vector<std::uint32_t> content(*ir::fold(def, buffer.length, known));
    if (buffer.name != "flag") {
      for (std::uint32_t& bits : content) bits = any_bits(buffer.element, random);
    }
    const auto bytes = std::as_bytes(std::span(content));
    out.inputs.emplace_back(bytes.begin(), bytes.end());
  }
  return out;
}

}  // namespace vyre::testing
