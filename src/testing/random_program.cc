#include "testing/random_program.h"

#include "ir/ops.h"
#include "testing/random_stmt.h"

namespace vyre::testing {
namespace {

using ir::Access;
using ir::AtomicOp;
using ir::ExprId;
using ir::Op;
using ir::Scalar;
using ir::SymbolKind;

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomOptions& options)
      : draft_(seed, options), exprs_(draft_), stmts_(draft_) {}

  ir::Program make() {
    draft_.program.name = "random";
    symbols();
    launch();
    inputs();
    outputs();
    arrays();
    body();
    return std::move(draft_.program);
  }

 private:
  std::uint32_t below(std::size_t end) { return draft_.random.below(end); }

  void symbol(SymbolKind kind, Scalar type, std::uint64_t bits) {
    const std::size_t count = draft_.program.symbols.size();
    draft_.program.symbols.push_back({"s" + std::to_string(count), kind, type, bits});
  }

  // Symbol 0 is the shape that all sizes depend on, symbol 1 a tunable for the workgroup.
  void symbols() {
    symbol(SymbolKind::shape, Scalar::u32, 0);
    symbol(SymbolKind::tunable, Scalar::u32, 4U << below(4));
    for (std::uint32_t i = below(4); i > 0; --i)
      symbol(SymbolKind::scalar, exprs_.scalar_type(), 0);
    for (std::uint32_t i = below(3); i > 0; --i) {
      const Scalar type = exprs_.scalar_type();
      symbol(SymbolKind::tunable, type, exprs_.value(type));
    }
    if (draft_.random.percent(20)) symbol(SymbolKind::shape, Scalar::u32, 0);
  }

  // One or two axes, by constants or by the tunable, or none at all: then it is [64, 1, 1] and the
  // grid covers the largest output.
  void launch() {
    auto& [x, y, z] = draft_.program.workgroup;
    const std::uint32_t tunable =
        static_cast<std::uint32_t>(draft_.program.symbols[1].default_bits);
    switch (below(4)) {
      case 0:
        return;
      case 1:
        x = draft_.u32(16);
        draft_.group_invocations = 16;
        break;
      case 2:
        x = draft_.symbol(1);
        draft_.group_invocations = tunable;
        break;
      default:
        x = draft_.u32(8);
        y = draft_.symbol(1);
        z = draft_.u32(1);
        draft_.group_invocations = 8 * tunable;
    }
    if (y == ir::kNone && draft_.random.percent(30)) return;
    draft_.program.grid[0] = draft_.binary(Op::add, groups(), draft_.u32(1));
    if (y != ir::kNone) draft_.program.grid[1] = draft_.u32(1 + below(3));
  }

  ExprId groups() { return draft_.binary(Op::div, draft_.symbol(0), draft_.u32(16)); }

  // The number of invocations of a workgroup, as an expression.
  ExprId invocations() {
    const auto& workgroup = draft_.program.workgroup;
    if (workgroup[0] == ir::kNone) return draft_.u32(64);
    if (workgroup[1] != ir::kNone) {
      return draft_.binary(Op::mul, draft_.u32(8), draft_.symbol(1));
    }
    return draft_.program.exprs[workgroup[0]].op == Op::symbol ? draft_.symbol(1) : draft_.u32(16);
  }

  std::uint32_t buffer(Access access, Scalar element, ExprId length) {
    const auto index = static_cast<std::uint32_t>(draft_.program.buffers.size());
    draft_.program.buffers.push_back({"b" + std::to_string(index), element, access, length});
    return index;
  }

  // Buffers hold no bools.
  Scalar element() {
    const Scalar type = exprs_.scalar_type();
    return type == Scalar::boolean ? Scalar::u32 : type;
  }

  ExprId input_length() {
    switch (below(4)) {
      case 0:
        return draft_.symbol(0);
      case 1:
        return draft_.binary(Op::mul, draft_.symbol(0), draft_.symbol(1));
      case 2:
        return draft_.binary(Op::max, draft_.symbol(0), draft_.u32(3));
      default: {
        const ExprId some = draft_.binary(Op::shr, draft_.symbol(0), draft_.u32(1));
        return draft_.binary(Op::add, some, draft_.u32(1 + below(8)));
      }
    }
  }

  void inputs() {
    for (std::uint32_t i = 1 + below(4); i > 0; --i) {
      draft_.inputs.push_back(buffer(Access::read, element(), input_length()));
    }
  }

  void outputs() {
    for (std::uint32_t i = 1 + below(3); i > 0; --i) {
      const std::uint32_t stride = 1 + below(4);
      const bool readable = draft_.random.percent(50);
      const ExprId length = draft_.binary(Op::mul, draft_.symbol(0), draft_.u32(stride));
      const Access access = readable ? Access::read_write : Access::write;
      draft_.own.push_back({buffer(access, element(), length), stride, readable});
    }
    const Scalar counted = draft_.random.percent(50) ? Scalar::u32 : Scalar::i32;
    const Access access = draft_.random.percent(50) ? Access::read_write : Access::write;
    const ExprId length = draft_.binary(Op::add, draft_.symbol(0), draft_.u32(1));
    draft_.shared.push_back({buffer(access, counted, length), static_cast<AtomicOp>(below(3))});
  }

  void arrays() {
    for (std::uint32_t i = below(3); i > 0; --i) {
      draft_.locals.push_back(buffer(Access::local, element(), invocations()));
    }
    for (std::uint32_t i = below(3); i > 0; --i) {
      const ExprId length = draft_.u32(kPrivateLength);
      draft_.privates.push_back(buffer(Access::private_, element(), length));
    }
  }

  // `low + high * size`: the number of an invocation over two axes.
  void number(std::uint32_t& variable, const char* name, ir::IdKind id, ir::IdKind size) {
    ExprId value = draft_.id(id, 0);
    if (draft_.program.workgroup[1] != ir::kNone) {
      const ExprId rows = draft_.binary(Op::mul, draft_.id(id, 1), draft_.id(size, 0));
      value = draft_.binary(Op::add, rows, value);
    }
    variable = draft_.new_variable(name, {Scalar::u32, 1}, false);
    ir::Stmt let;
    let.kind = ir::StmtKind::let;
    let.variable = variable;
    let.args[0] = value;
    stmts_.add(draft_.program.body, std::move(let));
    draft_.visible.push_back(variable);
  }

  // First statements that may hold barriers, then such that may return.
  void body() {
    number(draft_.global_index, "i", ir::IdKind::global_id, ir::IdKind::global_size);
    number(draft_.local_index, "l", ir::IdKind::local_id, ir::IdKind::local_size);
    const std::uint32_t count = 1 + below(std::max(1U, draft_.options.max_stmts / 2));
    stmts_.fill(draft_.program.body, {true, false, 1}, count / 2);
    stmts_.fill(draft_.program.body, {false, true, 1}, count - count / 2);
    stmts_.store_digest(draft_.program.body);
  }

  RandomDraft draft_;
  RandomExpr exprs_;
  RandomStmt stmts_;
};

}  // namespace

ir::Program random_program(std::uint64_t seed, const RandomOptions& options) {
  return Generator(seed, options).make();
}

}  // namespace vyre::testing
