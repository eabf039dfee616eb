#include "bounds/coverage.h"

#include <algorithm>
#include <limits>

#include "bounds/accesses.h"

namespace vyre::bounds {
namespace {

using ir::ExprId;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

constexpr auto kGlobalX = static_cast<std::uint32_t>(ir::IdKind::global_id) * 3;

class Coverage {
 public:
  Coverage(const ir::Program& program, std::uint32_t buffer, ir::SymbolBits symbols,
           std::uint64_t length)
      : program_(program), buffer_(buffer), symbols_(symbols), length_(length) {}

  // An invocation that ends early may miss its store, and a buffer that is read shows what it held.
  bool is_simple() const {
    const auto ends = [](const Stmt& s) { return s.kind == StmtKind::return_; };
    const auto updates = [&](const Stmt& s) {
      return s.kind == StmtKind::atomic && s.buffer == buffer_;
    };
    const auto reads = [&](const ir::Expr& e) { return e.op == Op::load && e.index == buffer_; };
    return std::ranges::none_of(program_.stmts, ends) &&
           std::ranges::none_of(program_.stmts, updates) &&
           std::ranges::none_of(program_.exprs, reads);
  }

  // `items`: the invocations that get here are those with a number below it.
  bool fills(const ir::Block& block, std::uint64_t items) const {
    return std::ranges::any_of(block,
                               [&](ir::StmtId id) { return fills(program_.stmts[id], items); });
  }

 private:
  bool fills(const Stmt& s, std::uint64_t items) const {
    if (s.kind == StmtKind::region) return fills(s.body, items);
    if (s.kind == StmtKind::if_) return fills(s.body, std::min(items, below(s.args[0])));
    if (s.kind != StmtKind::store || s.buffer != buffer_ || !is_own_number(s.args[0])) return false;
    // A vector that reaches over the end is outside as a whole.
    const std::uint64_t width = program_.exprs[s.args[1]].type.width;
    return length_ % width == 0 && items >= length_ / width;
  }

  // The number n such that the condition holds for every invocation below n.
  std::uint64_t below(ExprId condition) const {
    const ir::Expr& e = program_.exprs[condition];
    if (e.op != Op::lt || !is_own_number(e.args[0])) return 0;
    return ir::fold(program_, e.args[1], symbols_).value_or(0);
  }

  // The invocation's number on axis 0, itself or in a variable that never changes.
  bool is_own_number(ExprId id) const {
    const ir::Expr& e = program_.exprs[id];
    if (e.op == Op::id) return e.index == kGlobalX;
    if (e.op != Op::variable || program_.variables[e.index].is_mutable) return false;
    const auto let = std::ranges::find_if(program_.stmts, [&](const Stmt& s) {
      return s.kind == StmtKind::let && s.variable == e.index;
    });
    return let != program_.stmts.end() && is_own_number(let->args[0]);
  }

  const ir::Program& program_;
  std::uint32_t buffer_;
  ir::SymbolBits symbols_;
  std::uint64_t length_;
};

}  // namespace

namespace {

// Sizes are numbers here, so their true limits decide what may wrap.
bool overwrites(const ir::Program& program, std::uint32_t buffer, const KnownLaunch& launch) {
  constexpr Int kMost = std::numeric_limits<std::uint32_t>::max();
  Accesses accesses(program, {.most_length = kMost,
                              .most_tunable = kMost,
                              .symbols = launch.symbols,
                              .groups = launch.groups,
                              .workgroup = launch.workgroup,
                              .opaque = {}});
  return accesses.overwrites(buffer);
}

}  // namespace

bool covers(const ir::Program& program, std::uint32_t buffer, std::uint64_t length,
            const KnownLaunch& launch) {
  if (program.source) return false;
  const Coverage coverage(program, buffer, launch.symbols, length);
  const std::uint64_t invocations = std::uint64_t{launch.groups[0]} * launch.workgroup[0];
  if (coverage.is_simple() && coverage.fills(program.body, invocations)) return true;
  return overwrites(program, buffer, launch);
}

}  // namespace vyre::bounds
