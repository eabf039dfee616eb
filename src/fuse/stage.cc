#include "fuse/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "fuse/same_expr.h"
#include "ir/ops.h"
#include "ir/rewrite/rewriter.h"

namespace vyre::fuse {
namespace {

using ir::Expr;
using ir::ExprId;
using ir::kNone;
using ir::Op;
using ir::SequenceDef;
using ir::SymbolKind;

constexpr std::uint64_t kUndeclaredWorkgroup = 64;
constexpr std::array<ExprId, 3> kUndeclared{kNone, kNone, kNone};

// A size expression of the sequence, in the program that is being made. The length of a buffer is
// written as the expression that it is.
ExprId copy_size(const SequenceDef& sequence, ExprId id, ir::ProgramWriter& to) {
  Expr e = sequence.exprs[id];
  if (e.op == Op::length) return copy_size(sequence, sequence.buffers[e.index].length, to);
  if (e.op == Op::symbol) e.index = to.symbol(sequence.symbols[e.index]);
  for (std::uint32_t k = 0; k < ir::operand_count(e); ++k) {
    e.args[k] = copy_size(sequence, e.args[k], to);
  }
  return to.expr(e);
}

// The program with names for variables and arrays that say which step they belong to.
ir::Program renamed(ir::Program program, std::uint32_t step) {
  const auto rename = [&](std::string& name) { name = fmt::format("step{}_{}", step, name); };
  for (ir::Variable& v : program.variables) rename(v.name);
  for (ir::Buffer& b : program.buffers) {
    if (!ir::is_bound(b.access)) rename(b.name);
  }
  return program;
}

class Instantiation : public ir::Rewriter {
 public:
  Instantiation(const SequenceDef& sequence, const ir::Step& step, const ir::Program& from,
                ir::ProgramWriter& to)
      : Rewriter(from, to), sequence_(sequence), step_(step), values_(from.symbols.size(), kNone) {
    find_values();
  }

  void run() {
    declare_bound();
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      const ir::Symbol& s = from().symbols[k];
      if (s.kind == SymbolKind::tunable) symbols[k] = to().symbol(s);
    }
    declare_buffers();
    declare_launch();
    if (from().grid == kUndeclared) make_grid();
    if (to().program().workgroup == kUndeclared) {
      to().program().workgroup[0] = to().u32(kUndeclaredWorkgroup);
    }
    rewrite(from().body);
  }

 protected:
  ExprId replace_expr(ExprId id) override {
    const Expr& e = from().exprs[id];
    if (e.op != Op::symbol || from().symbols[e.index].kind == SymbolKind::tunable) return kNone;
    return copy_size(sequence_, values_[e.index], to());
  }

 private:
  // The expression of the sequence that a shape or scalar stands for, as the plan finds its value.
  void find_values() {
    std::size_t next = 0;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (from().symbols[k].kind == SymbolKind::tunable) continue;
      values_[k] = next < step_.symbols.size() ? step_.symbols[next] : kNone;
      ++next;
    }
    std::size_t bound = 0;
    for (const ir::Buffer& b : from().buffers) {
      if (!ir::is_bound(b.access)) continue;
      const Expr& length = from().exprs[b.length];
      const ir::Buffer& given = sequence_.buffers[step_.buffers[bound++]];
      if (length.op == Op::symbol && values_[length.index] == kNone) {
        values_[length.index] = given.length;
      }
    }
  }

  void declare_bound() {
    std::size_t bound = 0;
    for (std::size_t k = 0; k < buffers.size(); ++k) {
      ir::Buffer b = from().buffers[k];
      if (!ir::is_bound(b.access)) continue;
      const ir::Buffer& given = sequence_.buffers[step_.buffers[bound++]];
      b.name = given.name;
      buffers[k] = to().find_buffer(b.name);
      if (buffers[k] != kNone) continue;  // only a buffer that is not written is bound twice
      const ExprId length = copy_size(sequence_, given.length, to());
      buffers[k] = to().buffer(b, length);
    }
  }

  // (largest - 1) / items + 1: no buffer is empty, so nothing wraps.
  void make_grid() {
    ir::Program& made = to().program();
    if (made.workgroup == kUndeclared) {
      const std::uint32_t block =
          to().symbol({"fused_block", SymbolKind::tunable, ir::Scalar::u32, kUndeclaredWorkgroup});
      made.workgroup[0] = to().symbol_value(block);
    }
    ExprId items = kNone;
    for (const ExprId axis : made.workgroup) {
      if (axis == kNone) continue;
      const ExprId size = to().copy(axis);
      items = items == kNone ? size : to().op(Op::mul, {items, size});
    }
    const ExprId largest = largest_written();
    const ExprId before = to().op(Op::sub, {largest, to().u32(1)});
    made.grid[0] = to().op(Op::add, {to().op(Op::div, {before, items}), to().u32(1)});
  }

  ExprId largest_written() {
    std::vector<ExprId> different;
    const ir::Program& made = to().program();
    for (const ir::Buffer& b : made.buffers) {
      const auto same = [&](ExprId other) { return same_expr(made, b.length, made, other); };
      if (ir::gives_output(b.access) && std::ranges::none_of(different, same)) {
        different.push_back(b.length);
      }
    }
    if (different.empty()) return to().u32(1);
    ExprId largest = to().copy(different[0]);
    for (std::size_t k = 1; k < different.size(); ++k) {
      const ExprId length = to().copy(different[k]);
      largest = to().op(Op::max, {largest, length});
    }
    return largest;
  }

  const SequenceDef& sequence_;
  const ir::Step& step_;
  std::vector<ExprId> values_;  // by symbol of the program: an expression of the sequence
};

// Tunables are shared by name. So a program whose tunable is called like a shape, a scalar or a
// buffer of the sequence cannot be written over the sequence's names.
bool has_clash(const SequenceDef& sequence, const ir::Program& program) {
  return std::ranges::any_of(program.symbols, [&](const ir::Symbol& s) {
    if (s.kind != SymbolKind::tunable) return false;
    const bool is_symbol = std::ranges::any_of(sequence.symbols, [&](const ir::Symbol& other) {
      return other.name == s.name && other.kind != SymbolKind::tunable;
    });
    return is_symbol || s.name == "fused_block" ||
           std::ranges::find(sequence.buffers, s.name, &ir::Buffer::name) != sequence.buffers.end();
  });
}

}  // namespace

std::expected<Stage, Refusal> instantiate(const SequenceDef& sequence, std::uint32_t step) {
  const ir::Step& from = sequence.steps[step];
  const ir::Program& program = sequence.programs[from.program];
  if (program.source) {
    return refuse("stage.source",
                  fmt::format("{} is written in another language", quote(program.name)));
  }
  if (has_clash(sequence, program)) {
    return refuse("stage.names",
                  fmt::format("a tunable of {} has a name that the sequence uses for "
                              "something else",
                              quote(program.name)));
  }
  const ir::Program own = renamed(program, step);
  ir::ProgramWriter to = start_program(sequence, own.name);
  Instantiation(sequence, from, own, to).run();
  return make_stage(sequence, std::move(to).finish());
}

std::expected<Stage, Refusal> make_stage(const SequenceDef& sequence, ir::Program program) {
  const std::vector<Error> errors = ir::validate(program);
  if (!errors.empty()) {
    constexpr std::array kLimits{"V004", "V005", "V006", "V007"};
    const bool too_large = std::ranges::find(kLimits, errors[0].code) != kLimits.end();
    return refuse(too_large ? "too-large" : "stage.invalid",
                  fmt::format("the program {} would not be valid: {}", quote(program.name),
                              errors[0].message));
  }
  Stage out;
  for (const ir::Buffer& b : program.buffers) {
    if (!ir::is_bound(b.access)) continue;
    const auto it = std::ranges::find(sequence.buffers, b.name, &ir::Buffer::name);
    out.buffers.push_back(static_cast<std::uint32_t>(it - sequence.buffers.begin()));
  }
  out.program = std::move(program);
  return out;
}

ir::ProgramWriter start_program(const SequenceDef& sequence, std::string_view name) {
  ir::ProgramWriter to(std::string(name.substr(0, ir::Limits::kNameBytes)));
  for (const ir::Symbol& s : sequence.symbols) to.reserve(s.name);
  for (const ir::Buffer& b : sequence.buffers) to.reserve(b.name);
  for (const ir::Program& p : sequence.programs) {
    for (const ir::Symbol& s : p.symbols) {
      if (s.kind == SymbolKind::tunable) to.reserve(s.name);
    }
  }
  to.reserve("fused_block");
  return to;
}

std::uint32_t sequence_buffer(const Stage& stage, std::uint32_t buffer) {
  const auto& all = stage.program.buffers;
  if (!ir::is_bound(all[buffer].access)) return kNone;
  const auto before =
      std::ranges::count_if(all.begin(), all.begin() + buffer,
                            [](const ir::Buffer& b) { return ir::is_bound(b.access); });
  return stage.buffers[static_cast<std::size_t>(before)];
}

std::uint32_t find_in(const Stage& stage, std::uint32_t sequence_index) {
  for (std::uint32_t k = 0; k < stage.program.buffers.size(); ++k) {
    if (sequence_buffer(stage, k) == sequence_index) return k;
  }
  return kNone;
}

}  // namespace vyre::fuse
