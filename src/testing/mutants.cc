#include "testing/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/ops.h"

namespace vyre::testing {
namespace {

using namespace ir;  // NOLINT(google-build-using-namespace): this file is about nothing else

bool is_commutative(Op op) {
  constexpr std::array ops{Op::add,  Op::mul, Op::mulhi, Op::min, Op::max,
                           Op::and_, Op::or_, Op::xor_,  Op::eq,  Op::ne};
  return std::ranges::find(ops, op) != ops.end();
}

class Mutator {
 public:
  explicit Mutator(const Program& program) : program_(program) {}

  std::vector<Mutant> all() && {
    const std::vector<bool> skipped = workgroup_exprs();
    for (ExprId id = 0; id < program_.exprs.size(); ++id) {
      if (!skipped[id]) mutate_expr(id);
    }
    for (StmtId id = 0; id < program_.stmts.size(); ++id) mutate_stmt(id);
    mutate_blocks();
    mutate_buffers();
    mutate_symbols();
    mutate_grid();
    return std::move(found_);
  }

 private:
  // Keeps a copy of the program after `change` was done to it.
  template <class Change>
  void add(std::string text, Change change) {
    Program copy = program_;
    change(copy);
    if (!(copy == program_)) found_.push_back({std::move(text), std::move(copy)});
  }

  std::vector<bool> workgroup_exprs() const {
    std::vector<bool> inside(program_.exprs.size(), false);
    for (const ExprId id : program_.workgroup) {
      if (id != kNone) inside[id] = true;
    }
    for (std::size_t i = inside.size(); i-- > 0;) {
      const Expr& expr = program_.exprs[i];
      for (std::uint32_t k = 0; inside[i] && k < operand_count(expr); ++k) {
        inside[expr.args[k]] = true;
      }
    }
    return inside;
  }

  void mutate_expr(ExprId id);
  void mutate_table_op(ExprId id);
  void mutate_index(ExprId id, std::size_t count, auto fits);
  void mutate_stmt(StmtId id);
  void mutate_targets(StmtId id);
  void mutate_blocks();
  void mutate_block(const std::string& place, auto block_of);
  void mutate_buffers();
  void mutate_symbols();
  void mutate_grid();

  const Program& program_;
  std::vector<Mutant> found_;
};

void Mutator::mutate_expr(ExprId id) {
  const Expr& expr = program_.exprs[id];
  const auto same_type = [&](Type type) { return type == expr.type; };
  if (in_table(expr.op)) return mutate_table_op(id);
  switch (expr.op) {
    case Op::constant: {
      const int top = static_cast<int>(byte_size(expr.type.scalar)) * 8 - 1;
      for (const int bit : {0, 1, top / 2, top}) {
        if (bit > 0 && expr.type.scalar == Scalar::boolean) break;
        add(fmt::format("expression {}: bit {} of the constant", id, bit),
            [&](Program& p) { p.exprs[id].bits ^= std::uint64_t{1} << bit; });
      }
      return;
    }
    case Op::symbol:
      return mutate_index(id, program_.symbols.size(), [&](std::uint32_t i) {
        return same_type({program_.symbols[i].type, 1});
      });
    case Op::variable:
      return mutate_index(id, program_.variables.size(),
                          [&](std::uint32_t i) { return same_type(program_.variables[i].type); });
    case Op::id:
      return mutate_index(id, std::size_t{kIdKinds} * 3, [](std::uint32_t) { return true; });
    case Op::length:
      return mutate_index(id, program_.buffers.size(), [](std::uint32_t) { return true; });
    case Op::load:
      return mutate_index(id, program_.buffers.size(), [&](std::uint32_t i) {
        return program_.buffers[i].element == expr.type.scalar;
      });
    case Op::extract:
      return mutate_index(id, program_.exprs[expr.args[0]].type.width,
                          [](std::uint32_t) { return true; });
    case Op::select:
      return add(fmt::format("expression {}: arms swapped", id),
                 [&](Program& p) { std::swap(p.exprs[id].args[1], p.exprs[id].args[2]); });
    case Op::vector:
      return add(fmt::format("expression {}: elements swapped", id),
                 [&](Program& p) { std::swap(p.exprs[id].args[0], p.exprs[id].args[1]); });
    default:
      return;
  }
}

void Mutator::mutate_table_op(ExprId id) {
  const Op op = program_.exprs[id].op;
  for (const Op other : table_ops()) {
    if (other == op || info(other).rule != info(op).rule || info(other).arity != info(op).arity) {
      continue;
    }
    add(fmt::format("expression {}: {} becomes {}", id, info(op).name, info(other).name),
        [&](Program& p) { p.exprs[id].op = other; });
  }
  if (info(op).arity < 2 || is_commutative(op)) return;
  add(fmt::format("expression {}: operands of {} swapped", id, info(op).name),
      [&](Program& p) { std::swap(p.exprs[id].args[0], p.exprs[id].args[1]); });
}

void Mutator::mutate_index(ExprId id, std::size_t count, auto fits) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == program_.exprs[id].index || !fits(i)) continue;
    add(fmt::format("expression {}: refers to {}", id, i),
        [&](Program& p) { p.exprs[id].index = i; });
  }
}

void Mutator::mutate_stmt(StmtId id) {
  const Stmt& stmt = program_.stmts[id];
  const auto swap_args = [&](std::size_t i, std::size_t j) {
    add(fmt::format("statement {}: operands {} and {} swapped", id, i, j),
        [&](Program& p) { std::swap(p.stmts[id].args[i], p.stmts[id].args[j]); });
  };
  mutate_targets(id);
  if (stmt.kind == StmtKind::store) swap_args(0, 1);
  if (stmt.kind == StmtKind::if_) {
    add(fmt::format("statement {}: branches swapped", id),
        [&](Program& p) { std::swap(p.stmts[id].body, p.stmts[id].otherwise); });
  }
  if (stmt.kind == StmtKind::for_) {
    swap_args(0, 1);
    swap_args(1, 2);
    add(fmt::format("statement {}: unroll", id), [&](Program& p) {
      if (stmt.unroll == kNone) p.exprs.push_back({.op = Op::constant, .type = {}, .bits = 2});
      const auto last = static_cast<ExprId>(p.exprs.size() - 1);
      p.stmts[id].unroll = stmt.unroll == kNone ? last : kNone;
    });
  }
  if (stmt.kind != StmtKind::atomic) return;
  swap_args(0, 1);
  if (stmt.atomic == AtomicOp::compare_exchange) return swap_args(1, 2);
  for (const AtomicOp op : {AtomicOp::add, AtomicOp::min, AtomicOp::max, AtomicOp::exchange}) {
    add(fmt::format("statement {}: atomic {}", id, name_of(op)),
        [&](Program& p) { p.stmts[id].atomic = op; });
  }
}

void Mutator::mutate_targets(StmtId id) {
  const Stmt& stmt = program_.stmts[id];
  if (stmt.kind == StmtKind::assign) {
    for (std::uint32_t i = 0; i < program_.variables.size(); ++i) {
      if (program_.variables[i].type != program_.variables[stmt.variable].type) continue;
      add(fmt::format("statement {}: assigns to variable {}", id, i),
          [&](Program& p) { p.stmts[id].variable = i; });
    }
  }
  if (stmt.kind != StmtKind::store && stmt.kind != StmtKind::atomic) return;
  for (std::uint32_t i = 0; i < program_.buffers.size(); ++i) {
    if (program_.buffers[i].element != program_.buffers[stmt.buffer].element) continue;
    add(fmt::format("statement {}: writes to buffer {}", id, i),
        [&](Program& p) { p.stmts[id].buffer = i; });
  }
}

void Mutator::mutate_blocks() {
  mutate_block("body", [](Program& p) -> Block& { return p.body; });
  for (StmtId id = 0; id < program_.stmts.size(); ++id) {
    mutate_block(fmt::format("body of {}", id),
                 [=](Program& p) -> Block& { return p.stmts[id].body; });
    mutate_block(fmt::format("otherwise of {}", id),
                 [=](Program& p) -> Block& { return p.stmts[id].otherwise; });
  }
}

void Mutator::mutate_block(const std::string& place, auto block_of) {
  Program original = program_;
  const Block block = block_of(original);
  const auto is_let = [&](std::size_t i) { return program_.stmts[block[i]].kind == StmtKind::let; };
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    const std::string where = fmt::format("{}, statement {}", place, block[i]);
    add(where + " swapped with the next", [&](Program& p) {
      if (i + 1 < block.size() && !(is_let(i) && is_let(i + 1))) {
        std::swap(block_of(p)[i], block_of(p)[i + 1]);
      }
    });
    add(where + " takes the next into its body", [&](Program& p) {
      const StmtKind kind = p.stmts[block[i]].kind;
      const bool nests = kind == StmtKind::if_ || kind == StmtKind::for_ ||
                         kind == StmtKind::while_ || kind == StmtKind::region;
      if (!nests || i + 1 == block.size()) return;
      block_of(p).erase(block_of(p).begin() + at + 1);
      p.stmts[block[i]].body.push_back(block[i + 1]);
    });
  }
}

void Mutator::mutate_buffers() {
  for (std::uint32_t i = 0; i < program_.buffers.size(); ++i) {
    const Access access = program_.buffers[i].access;
    for (const Access other :
         {Access::read, Access::read_write, Access::write, Access::local, Access::private_}) {
      if (is_bound(access) != is_bound(other)) continue;
      add(fmt::format("buffer {}: {}", i, name_of(other)),
          [&](Program& p) { p.buffers[i].access = other; });
    }
    for (const Scalar element : {Scalar::u32, Scalar::i32, Scalar::u64, Scalar::f32}) {
      add(fmt::format("buffer {}: of {}", i, name_of(element)),
          [&](Program& p) { p.buffers[i].element = element; });
    }
  }
}

void Mutator::mutate_symbols() {
  for (std::size_t i = 0; i < program_.symbols.size(); ++i) {
    const Symbol& symbol = program_.symbols[i];
    const bool is_tunable = symbol.kind == SymbolKind::tunable;
    add(fmt::format("symbol {}: kind", i), [&](Program& p) {
      const bool is_shape = symbol.kind == SymbolKind::shape;
      if (!is_tunable) p.symbols[i].kind = is_shape ? SymbolKind::scalar : SymbolKind::shape;
    });
    add(fmt::format("symbol {}: name of a tunable", i), [&](Program& p) {
      if (is_tunable) p.symbols[i].name += "_";
    });
  }
}

void Mutator::mutate_grid() {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    add(fmt::format("grid: no axis {}", axis), [&](Program& p) { p.grid[axis] = kNone; });
    add(fmt::format("grid: axis {} swapped with the next", axis),
        [&](Program& p) { std::swap(p.grid[axis], p.grid[(axis + 1) % 3]); });
  }
}

}  // namespace

std::vector<Mutant> mutants(const Program& program) { return Mutator(program).all(); }

}  // namespace vyre::testing
