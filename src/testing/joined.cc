#include "testing/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <random>

#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "vyre/device.h"

namespace vyre::testing {
namespace {

std::uint32_t random_bits(std::mt19937_64& random, ir::Scalar type) {
  if (type != ir::Scalar::f32) return static_cast<std::uint32_t>(random() >> (random() % 64));
  using Limits = std::numeric_limits<float>;
  constexpr std::array kOdd{Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(),
                            Limits::denorm_min(), -0.0F};
  const auto number = static_cast<float>(random() % 1000) / 64.0F - 7.0F;
  return std::bit_cast<std::uint32_t>(random() % 10 == 0 ? kOdd[random() % kOdd.size()] : number);
}

// One input for each buffer that takes one, at the sizes that the arguments give.
std::vector<std::vector<std::byte>> random_inputs(const ir::SequenceDef& sequence,
                                                  std::span<const Argument> arguments,
                                                  std::uint64_t seed) {
  auto known = ir::default_bits(sequence.symbols);
  for (std::size_t k = 0; k < known.size(); ++k) {
    for (const Argument& a : arguments) {
      if (a.name == sequence.symbols[k].name) known[k] = a.bits;
    }
  }
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::byte>> out;
  for (const ir::Buffer& b : sequence.buffers) {
    if (!ir::takes_input(b.access)) continue;
    const std::uint64_t words =
        ir::fold(sequence, b.length, known).value_or(0) * ir::byte_size(b.element) / 4;
    std::vector<std::uint32_t> values(words);
    for (std::uint32_t& v : values) v = random_bits(random, b.element);
    const auto bytes = std::as_bytes(std::span(values));
    out.emplace_back(bytes.begin(), bytes.end());
  }
  return out;
}

Expected<Outputs> outputs_of(const ir::SequenceDef& def, const Call& call) {
  auto sequence = ir::Sequence::make(def);
  if (!sequence) return std::unexpected(sequence.error());
  ReferenceOptions options;
  options.threads = 1;
  options.budget = 2'000'000'000;
  options.detect_races = true;
  return make_dispatcher(open_reference(options))->dispatch(*sequence, call);
}

// Only tunables that the sequence has: a join drops some.
Config known_entries(const ir::SequenceDef& def, const Config& config) {
  Config out;
  const auto has = [](const std::vector<ir::Symbol>& symbols, const std::string& name) {
    return std::ranges::find(symbols, name, &ir::Symbol::name) != symbols.end();
  };
  for (const auto& [name, value] : config.entries()) {
    const bool known =
        has(def.symbols, name) || std::ranges::any_of(def.programs, [&](const ir::Program& p) {
          return has(p.symbols, name);
        });
    if (known) out.set(name, value);
  }
  return out;
}

ir::ExprId append(ir::SequenceDef& sequence, const ir::Expr& expr) {
  sequence.exprs.push_back(expr);
  return static_cast<ir::ExprId>(sequence.exprs.size() - 1);
}

ir::ExprId symbol_of(ir::SequenceDef& sequence, const ir::Symbol& symbol) {
  const auto it = std::ranges::find(sequence.symbols, symbol.name, &ir::Symbol::name);
  ir::Expr e;
  e.op = ir::Op::symbol;
  e.type = {symbol.type, 1};
  e.index = static_cast<std::uint32_t>(it - sequence.symbols.begin());
  return append(sequence, e);
}

ir::ExprId copy_into(ir::SequenceDef& to, const ir::SequenceDef& from, ir::ExprId id) {
  if (id == ir::kNone) return ir::kNone;
  ir::Expr e = from.exprs[id];
  for (std::uint32_t k = 0; k < ir::operand_count(e); ++k) {
    e.args[k] = copy_into(to, from, e.args[k]);
  }
  return append(to, e);
}

ir::Step step_of(ir::SequenceDef& sequence, const fuse::Stage& stage) {
  ir::Step out;
  out.program = static_cast<std::uint32_t>(sequence.programs.size());
  out.buffers = stage.buffers;
  for (const ir::Symbol& s : stage.program.symbols) {
    if (s.kind != ir::SymbolKind::tunable) out.symbols.push_back(symbol_of(sequence, s));
  }
  sequence.programs.push_back(stage.program);
  sequence.programs.back().name = "joined";
  return out;
}

}  // namespace

fuse::JoinContext context_of(const ir::SequenceDef& sequence, std::uint32_t first,
                             std::uint32_t last) {
  fuse::JoinContext out{sequence, {}};
  for (const ir::Buffer& b : sequence.buffers) out.is_needed.push_back(ir::gives_output(b.access));
  if (sequence.repeat) out.is_needed[sequence.repeat->until] = true;
  for (std::uint32_t k = 0; k < sequence.steps.size(); ++k) {
    if (k >= first && k <= last) continue;
    const ir::Step& step = sequence.steps[k];
    std::size_t bound = 0;
    for (const ir::Buffer& b : sequence.programs[step.program].buffers) {
      if (!ir::is_bound(b.access)) continue;
      const std::uint32_t buffer = step.buffers[bound++];
      if (ir::takes_input(b.access)) out.is_needed[buffer] = true;
    }
  }
  return out;
}

// Expressions are copied, so that none is left without a user.
ir::SequenceDef with_joined(const ir::SequenceDef& sequence, std::uint32_t first,
                            std::uint32_t last, const fuse::Stage& stage) {
  ir::SequenceDef out = sequence;
  out.exprs.clear();
  out.steps.clear();
  for (ir::Buffer& b : out.buffers) b.length = copy_into(out, sequence, b.length);
  for (std::uint32_t k = 0; k < sequence.steps.size(); ++k) {
    if (k == last) out.steps.push_back(step_of(out, stage));
    if (k >= first && k <= last) continue;
    out.steps.push_back(sequence.steps[k]);
    for (ir::ExprId& value : out.steps.back().symbols) value = copy_into(out, sequence, value);
  }
  return out;
}

std::string difference_of(const ir::SequenceDef& original, const ir::SequenceDef& joined,
                          std::span<const Argument> arguments, const Config& config,
                          std::uint64_t seed) {
  const auto inputs = random_inputs(original, arguments, seed);
  const std::vector<Input> views(inputs.begin(), inputs.end());
  std::array<Outputs, 2> results;
  for (std::size_t k = 0; k < 2; ++k) {
    const ir::SequenceDef& def = k == 0 ? original : joined;
    const Config entries = known_entries(def, config);
    const Call call{.inputs = views, .arguments = arguments, .config = &entries};
    auto outputs = outputs_of(def, call);
    if (!outputs)
      return fmt::format("{}: {}", k == 0 ? "original" : "joined", outputs.error().message);
    results[k] = *std::move(outputs);
  }
  for (std::size_t k = 0; k < results[0].size(); ++k) {
    const auto at = std::ranges::mismatch(results[0][k], results[1][k]).in1;
    if (at == results[0][k].end()) continue;
    return fmt::format("output {} differs at byte {}", k, at - results[0][k].begin());
  }
  return "";
}

}  // namespace vyre::testing
