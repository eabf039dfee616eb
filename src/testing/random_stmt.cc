#include "testing/random_stmt.h"

#include <utility>

#include "ir/ops.h"

namespace vyre::testing {
namespace {

using ir::AtomicOp;
using ir::Block;
using ir::ExprId;
using ir::kU32;
using ir::Op;
using ir::Scalar;
using ir::Stmt;
using ir::StmtKind;
using ir::Type;

constexpr std::array kLoopTypes = {Scalar::u32, Scalar::u32, Scalar::i32, Scalar::u64, Scalar::i64};

Stmt stmt_of(StmtKind kind, std::array<ExprId, 3> args = {ir::kNone, ir::kNone, ir::kNone}) {
  Stmt stmt;
  stmt.kind = kind;
  stmt.args = args;
  return stmt;
}

}  // namespace

void RandomStmt::add(Block& block, Stmt stmt) {
  block.push_back(static_cast<ir::StmtId>(draft_.program.stmts.size()));
  draft_.program.stmts.push_back(std::move(stmt));
}

void RandomStmt::fill(Block& block, Place place, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) one(block, place);
}

Block RandomStmt::block(Place place) {
  Block block;
  const std::size_t visible = draft_.visible.size();
  ++place.depth;
  fill(block, place, draft_.random.below(4));
  draft_.visible.resize(visible);
  if (place.may_return && draft_.random.percent(10)) add(block, stmt_of(StmtKind::return_));
  return block;
}

void RandomStmt::one(Block& block, Place place) {
  if (place.depth < draft_.options.max_stmt_depth && draft_.random.percent(30)) {
    return nested(block, place);
  }
  switch (draft_.random.below(7)) {
    case 0:
    case 1:
      return introduce(block);
    case 2:
      return assign(block);
    case 3:
      return store_private(block);
    case 4:
      return draft_.options.own_atomics && draft_.random.percent(50) ? own_atomic(block)
                                                                     : atomic(block);
    case 5:
      if (place.uniform && draft_.options.barriers) return exchange_through_local(block);
      [[fallthrough]];
    default:
      return store(block);
  }
}

void RandomStmt::nested(Block& block, Place place) {
  switch (draft_.random.below(5)) {
    case 0:
    case 1:
      return if_(block, place);
    case 2:
      return for_(block, place);
    case 3:
      return while_(block, place);
    default:
      return region(block, place);
  }
}

void RandomStmt::introduce(Block& block) {
  const Type type = exprs_.type();
  Stmt stmt = stmt_of(StmtKind::let, {exprs_.any(type), ir::kNone, ir::kNone});
  stmt.variable = draft_.new_variable("v", type, draft_.random.percent(50));
  draft_.visible.push_back(stmt.variable);
  add(block, std::move(stmt));
}

void RandomStmt::assign(Block& block) {
  std::vector<std::uint32_t> targets;
  for (const std::uint32_t v : draft_.visible) {
    if (draft_.program.variables[v].is_mutable) targets.push_back(v);
  }
  if (targets.empty()) return introduce(block);
  Stmt stmt = stmt_of(StmtKind::assign);
  stmt.variable = draft_.random.pick(targets);
  stmt.args[0] = exprs_.any(draft_.program.variables[stmt.variable].type);
  add(block, std::move(stmt));
}

void RandomStmt::store(Block& block) {
  const Own own = draft_.random.pick(draft_.own);
  const Scalar element = draft_.program.buffers[own.buffer].element;
  const bool can_be_vector =
      (element == Scalar::u32 || element == Scalar::f32) && (own.stride == 2 || own.stride == 4);
  const bool vector = can_be_vector && draft_.random.percent(50);
  const auto width = static_cast<std::uint8_t>(vector ? own.stride : 1);
  Stmt stmt = stmt_of(StmtKind::store);
  stmt.buffer = own.buffer;
  stmt.args[0] = exprs_.own_index(own, width);
  stmt.args[1] = exprs_.any({element, width});
  add(block, std::move(stmt));
}

void RandomStmt::store_digest(Block& block) {
  const Own own = draft_.random.pick(draft_.own);
  Stmt stmt = stmt_of(StmtKind::store);
  stmt.buffer = own.buffer;
  stmt.args[0] = exprs_.own_index(own, 1);
  stmt.args[1] = exprs_.digest(draft_.program.buffers[own.buffer].element);
  add(block, std::move(stmt));
}

void RandomStmt::store_private(Block& block) {
  if (draft_.privates.empty()) return store(block);
  Stmt stmt = stmt_of(StmtKind::store);
  stmt.buffer = draft_.random.pick(draft_.privates);
  const Scalar element = draft_.program.buffers[stmt.buffer].element;
  stmt.args[0] = exprs_.below(kPrivateLength);
  stmt.args[1] = exprs_.any({element, 1});
  add(block, std::move(stmt));
}

void RandomStmt::atomic(Block& block) {
  const Shared shared = draft_.random.pick(draft_.shared);
  Stmt stmt = stmt_of(StmtKind::atomic);
  stmt.buffer = shared.buffer;
  stmt.atomic = shared.op;
  const ExprId length = draft_.add(Op::length, kU32, shared.buffer);
  stmt.args[0] = draft_.binary(Op::mod, exprs_.any(kU32), length);
  stmt.args[1] = exprs_.any({draft_.program.buffers[shared.buffer].element, 1});
  add(block, std::move(stmt));
}

void RandomStmt::own_atomic(Block& block) {
  std::vector<Own> targets;
  for (const Own& own : draft_.own) {
    const Scalar element = draft_.program.buffers[own.buffer].element;
    if (own.readable && (element == Scalar::u32 || element == Scalar::i32)) targets.push_back(own);
  }
  if (targets.empty()) return atomic(block);
  const Own own = draft_.random.pick(targets);
  const Type type{draft_.program.buffers[own.buffer].element, 1};
  Stmt stmt = stmt_of(StmtKind::atomic);
  stmt.atomic = static_cast<AtomicOp>(draft_.random.below(5));
  stmt.buffer = own.buffer;
  stmt.args[0] = exprs_.own_index(own, 1);
  stmt.args[1] = exprs_.any(type);
  if (stmt.atomic == AtomicOp::compare_exchange) stmt.args[2] = exprs_.any(type);
  stmt.variable = draft_.new_variable("old", type, draft_.random.percent(30));
  draft_.visible.push_back(stmt.variable);
  add(block, std::move(stmt));
}

// Each invocation writes its element of a local array; behind a barrier it reads any. The second
// barrier keeps the next write away from these reads.
void RandomStmt::exchange_through_local(Block& block) {
  if (draft_.locals.empty()) return store(block);
  const std::uint32_t array = draft_.random.pick(draft_.locals);
  const Type type{draft_.program.buffers[array].element, 1};
  Stmt write = stmt_of(StmtKind::store);
  write.buffer = array;
  write.args[0] = draft_.variable(draft_.local_index);
  write.args[1] = exprs_.any(type);
  add(block, std::move(write));
  add(block, stmt_of(StmtKind::barrier));
  const ExprId index = exprs_.below(draft_.group_invocations);
  const ExprId value = draft_.add(Op::load, type, array, {index, ir::kNone, ir::kNone, ir::kNone});
  Stmt read = stmt_of(StmtKind::let, {value, ir::kNone, ir::kNone});
  read.variable = draft_.new_variable("other", type, false);
  draft_.visible.push_back(read.variable);
  add(block, std::move(read));
  add(block, stmt_of(StmtKind::barrier));
}

// A comparison of a shape: the same for all invocations.
ExprId RandomStmt::uniform_condition() {
  const ExprId shape = draft_.symbol(0);
  const ExprId bound = draft_.u32(draft_.random.below(200));
  return draft_.add(Op::lt, {Scalar::boolean, 1}, 0, {shape, bound, ir::kNone, ir::kNone});
}

void RandomStmt::if_(Block& block, Place place) {
  const bool together = place.uniform && draft_.random.percent(40);
  Stmt stmt = stmt_of(StmtKind::if_);
  stmt.args[0] = together ? uniform_condition() : exprs_.condition();
  const Place inner{together, place.may_return, place.depth};
  stmt.body = this->block(inner);
  if (draft_.random.percent(50)) stmt.otherwise = this->block(inner);
  add(block, std::move(stmt));
}

ExprId RandomStmt::unroll() {
  if (draft_.random.percent(60)) return ir::kNone;
  return draft_.u32(1 + draft_.random.below(4));
}

// Bounds are constants, or one of them is a few values of the invocation's own.
void RandomStmt::for_(Block& block, Place place) {
  const Type type{draft_.random.pick(kLoopTypes), 1};
  const std::uint64_t mask = ir::byte_size(type.scalar) == 8 ? ~std::uint64_t{0} : 0xffffffffU;
  const std::uint64_t first =
      draft_.random.below(4) - std::uint64_t{ir::is_signed(type.scalar) ? 2U : 0U};
  const bool divergent = type == kU32 && draft_.random.percent(40);
  Stmt stmt = stmt_of(StmtKind::for_);
  stmt.args[0] = draft_.constant(type, first & mask);
  stmt.args[1] = divergent ? exprs_.below(7) : draft_.constant(type, draft_.random.below(8));
  stmt.args[2] = draft_.constant(type, 1 + draft_.random.below(3));
  stmt.unroll = unroll();
  stmt.variable = draft_.new_variable("j", type, false);
  draft_.visible.push_back(stmt.variable);
  stmt.body = this->block({place.uniform && !divergent, place.may_return, place.depth});
  draft_.visible.pop_back();
  add(block, std::move(stmt));
}

void RandomStmt::while_(Block& block, Place place) {
  Stmt stmt = stmt_of(StmtKind::while_);
  stmt.args[0] = exprs_.condition();
  stmt.args[1] = draft_.u32(1 + draft_.random.below(5));
  stmt.body = this->block({false, place.may_return, place.depth});
  add(block, std::move(stmt));
}

void RandomStmt::region(Block& block, Place place) {
  Stmt stmt = stmt_of(StmtKind::region);
  stmt.name = "part " + std::to_string(draft_.program.stmts.size());
  stmt.body = this->block(place);
  add(block, std::move(stmt));
}

}  // namespace vyre::testing
