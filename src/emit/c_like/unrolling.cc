#include "emit/c_like/unrolling.h"

#include <algorithm>

namespace vyre::emit {
namespace {

// Compilers refuse larger counts or take minutes over them, so the hint is left out beyond this.
constexpr std::uint64_t kMostUnroll = 1024;

// Products of these with kMostUnroll do not overflow.
std::uint64_t limited(std::uint64_t nodes) {
  return std::min<std::uint64_t>(nodes, 2 * ir::Limits::kNodes);
}

class Counter {
 public:
  Counter(const ir::Program& program, ir::SymbolBits symbols)
      : program_(program), symbols_(symbols) {}

  std::uint64_t block(const ir::Block& block) const {
    std::uint64_t sum = 0;
    for (const ir::StmtId id : block) sum = limited(sum + stmt(program_.stmts[id]));
    return sum;
  }

 private:
  std::uint64_t stmt(const ir::Stmt& s) const {
    std::uint64_t own = 1;
    for (const ir::ExprId arg : s.args) own = limited(own + expr(arg));
    const std::uint64_t bodies = limited(block(s.body) + block(s.otherwise));
    if (s.kind != ir::StmtKind::for_) return limited(own + bodies);
    return limited(own + bodies * copies(s));
  }

  // A loop that is known to turn less often than its hint says has no more copies than turns.
  std::uint64_t copies(const ir::Stmt& loop) const {
    const std::uint64_t hint = unroll_hint(program_, loop, symbols_).value_or(1);
    return std::min(hint, known_turns(program_, loop, symbols_).value_or(hint));
  }

  // Every expression is used once (rule V003), so this is linear.
  std::uint64_t expr(ir::ExprId id) const {
    if (id == ir::kNone) return 0;
    std::uint64_t sum = 1;
    for (const ir::ExprId arg : program_.exprs[id].args) sum += expr(arg);
    return sum;
  }

  const ir::Program& program_;
  ir::SymbolBits symbols_;
};

}  // namespace

std::optional<std::uint64_t> unroll_hint(const ir::Program& program, const ir::Stmt& loop,
                                         ir::SymbolBits symbols) {
  if (loop.unroll == ir::kNone) return std::nullopt;
  const auto count = ir::fold(program, loop.unroll, symbols);
  if (!count || *count == 0 || *count > kMostUnroll) return std::nullopt;
  return count;
}

std::optional<std::uint64_t> known_turns(const ir::Program& program, const ir::Stmt& loop,
                                         ir::SymbolBits symbols) {
  const auto begin = ir::fold(program, loop.args[0], symbols);
  const auto end = ir::fold(program, loop.args[1], symbols);
  const auto step = ir::fold(program, loop.args[2], symbols);
  const bool counts_up = begin && end && step && *step > 0 && *end > *begin;
  if (!counts_up) return std::nullopt;
  return (*end - *begin - 1) / *step + 1;
}

std::uint64_t unrolled_nodes(const ir::Program& program, ir::SymbolBits symbols) {
  return Counter(program, symbols).block(program.body);
}

}  // namespace vyre::emit
