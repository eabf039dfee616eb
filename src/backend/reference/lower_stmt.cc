#include "backend/reference/lower_stmt.h"

#include <algorithm>

#include "backend/reference/handlers_control.h"
#include "backend/reference/handlers_memory.h"
#include "backend/reference/handlers_ops.h"
#include "ir/ops.h"

namespace vyre::backend::reference {

using ir::Block;
using ir::Scalar;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;
using ir::Type;

namespace {
constexpr Type kMask{Scalar::boolean, 1};
}  // namespace

StmtLowering::StmtLowering(Lowering& lowering)
    : lowering_(lowering),
      registers_(lowering.registers),
      program_(lowering.program),
      exprs_(lowering),
      has_return_(std::ranges::any_of(program_.stmts,
                                      [](const Stmt& s) { return s.kind == StmtKind::return_; })) {}

void StmtLowering::block(const Block& block, std::uint32_t mask) {
  const std::size_t scope = in_scope_.size();
  for (const StmtId id : block) {
    stmt(id, mask);
    // Statements behind a return in its own block never run.
    if (program_.stmts[id].kind == StmtKind::return_) break;
  }
  while (in_scope_.size() > scope) {
    registers_.release(lowering_.variables[in_scope_.back()]);
    in_scope_.pop_back();
  }
}

void StmtLowering::stmt(StmtId id, std::uint32_t mask) {
  const Stmt& s = program_.stmts[id];
  lowering_.mask = mask;
  lowering_.stmt = id;
  switch (s.kind) {
    case StmtKind::let:
      return let(s);
    case StmtKind::assign:
      return assign(s, mask);
    case StmtKind::store:
      return store(s, mask);
    case StmtKind::if_:
      return if_(s, mask);
    case StmtKind::for_:
      return for_(s, mask);
    case StmtKind::while_:
      return while_(s, mask);
    case StmtKind::atomic:
      return atomic(s, mask);
    case StmtKind::region:
      block(s.body, mask);
      return drop_returned(mask);
    case StmtKind::return_:
      lowering_.emit({.run = control::switch_off, .dst = lowering_.code.alive, .a = mask});
      return;
    case StmtKind::barrier:
      if (lowering_.detect_races) lowering_.emit({.run = control::barrier});
      return;
  }
}

// A new variable needs no mask: lanes that are off never read it.
void StmtLowering::let(const Stmt& s) {
  const Register r = registers_.allocate(program_.variables[s.variable].type, false);
  exprs_.expr_into(s.args[0], r);
  lowering_.variables[s.variable] = r;
  in_scope_.push_back(s.variable);
}

void StmtLowering::assign(const Stmt& s, std::uint32_t mask) {
  const Register& dst = lowering_.variables[s.variable];
  const Register value = exprs_.expr(s.args[0]);
  for (std::uint32_t k = 0; k < dst.type.width; ++k) {
    lowering_.emit({.run = select_handler(dst.type.scalar),
                    .dst = registers_.element(dst, k).offset,
                    .a = registers_.element(value, k).offset,
                    .b = registers_.element(dst, k).offset,
                    .c = mask});
  }
  registers_.release_if_temporary(value);
}

void StmtLowering::store(const Stmt& s, std::uint32_t mask) {
  const ir::Buffer& buffer = program_.buffers[s.buffer];
  const Register index = exprs_.expr(s.args[0]);
  const Register value = exprs_.expr(s.args[1]);
  lowering_.watch(s.buffer, index, value.type.width, Touch::write);
  lowering_.emit({.run = store_handler(buffer.element, index.type.scalar, place_of(buffer.access)),
                  .dst = mask,
                  .a = index.offset,
                  .b = value.offset,
                  .c = value.type.width,
                  .buffer = s.buffer});
  registers_.release_if_temporary(value);
  registers_.release_if_temporary(index);
}

void StmtLowering::atomic(const Stmt& s, std::uint32_t mask) {
  const ir::Buffer& buffer = program_.buffers[s.buffer];
  const bool has_result = s.variable != ir::kNone;
  const Register old = registers_.allocate({buffer.element, 1}, !has_result);
  const Register index = exprs_.expr(s.args[0]);
  const Register value = exprs_.expr(s.args[1]);
  const Register expected = s.args[2] == ir::kNone ? value : exprs_.expr(s.args[2]);
  lowering_.watch(s.buffer, index, 1, Touch::atomic);
  lowering_.emit(
      {.run = atomic_handler(s.atomic, buffer.element, index.type.scalar, place_of(buffer.access)),
       .dst = old.offset,
       .a = index.offset,
       .b = value.offset,
       .c = expected.offset,
       .buffer = s.buffer,
       .target = mask});
  if (s.args[2] != ir::kNone) registers_.release_if_temporary(expected);
  registers_.release_if_temporary(value);
  registers_.release_if_temporary(index);
  if (has_result) {
    lowering_.variables[s.variable] = old;
    in_scope_.push_back(s.variable);
  } else {
    registers_.release(old);
  }
}

// Switches off the lanes that returned inside a statement, for the statements that follow.
void StmtLowering::drop_returned(std::uint32_t mask) {
  if (has_return_)
    lowering_.emit({.run = control::keep_alive, .dst = mask, .a = mask, .b = lowering_.code.alive});
}

void StmtLowering::if_(const Stmt& s, std::uint32_t mask) {
  // The condition is copied: the body may assign to its variables before `else` looks at it.
  const Register condition = registers_.allocate({Scalar::boolean, 1}, false);
  exprs_.expr_into(s.args[0], condition);
  const Register inner = registers_.allocate(kMask, false);
  const std::uint32_t enter = lowering_.emit(
      {.run = control::enter_if, .dst = inner.offset, .a = mask, .b = condition.offset});
  block(s.body, inner.offset);
  lowering_.code.instructions[enter].target = lowering_.here();
  if (!s.otherwise.empty()) {
    const std::uint32_t other = lowering_.emit(
        {.run = control::enter_else, .dst = inner.offset, .a = mask, .b = condition.offset});
    block(s.otherwise, inner.offset);
    lowering_.code.instructions[other].target = lowering_.here();
  }
  registers_.release(inner);
  registers_.release(condition);
  drop_returned(mask);
}

void StmtLowering::for_(const Stmt& s, std::uint32_t mask) {
  const Type type = program_.variables[s.variable].type;
  const Register variable = registers_.allocate(type, false);
  const Register count = registers_.allocate({Scalar::u64, 1}, false);
  const Register inner = registers_.allocate(kMask, false);
  const Register step = registers_.allocate(type, false);
  exprs_.expr_into(s.args[0], variable);
  exprs_.expr_into(s.args[2], step);
  const Register end = exprs_.expr(s.args[1]);
  lowering_.emit({.run = trip_count_handler(type.scalar),
                  .dst = count.offset,
                  .a = variable.offset,
                  .b = end.offset,
                  .c = step.offset});
  registers_.release_if_temporary(end);
  const std::uint32_t enter =
      lowering_.emit({.run = for_enter, .dst = inner.offset, .a = mask, .b = count.offset});
  lowering_.variables[s.variable] = variable;
  const std::uint32_t first = lowering_.here();
  block(s.body, inner.offset);
  drop_returned(inner.offset);
  const std::uint32_t cost = lowering_.cost_since(first);
  lowering_.emit({.run = for_next_handler(type.scalar),
                  .dst = variable.offset,
                  .a = step.offset,
                  .b = count.offset,
                  .c = inner.offset,
                  .buffer = cost,
                  .target = first});
  lowering_.code.instructions[enter].target = lowering_.here();
  for (const Register& r : {step, inner, count, variable}) registers_.release(r);
  drop_returned(mask);
}

void StmtLowering::while_(const Stmt& s, std::uint32_t mask) {
  const Register inner = registers_.allocate(kMask, false);
  const Register count = registers_.allocate({Scalar::u32, 1}, false);
  const Register limit = registers_.allocate({Scalar::u32, 1}, false);
  exprs_.expr_into(s.args[1], limit);
  lowering_.emit({.run = copy_handler(Scalar::boolean), .dst = inner.offset, .a = mask});
  lowering_.emit({.run = control::clear_counter, .dst = count.offset});
  const std::uint32_t head = lowering_.here();
  lowering_.mask = inner.offset;
  const Register condition = exprs_.expr(s.args[0]);
  const std::uint32_t test = lowering_.emit({.run = control::while_test,
                                             .dst = inner.offset,
                                             .a = limit.offset,
                                             .b = condition.offset,
                                             .c = count.offset});
  registers_.release_if_temporary(condition);
  block(s.body, inner.offset);
  drop_returned(inner.offset);
  const std::uint32_t cost = lowering_.cost_since(head);
  lowering_.emit({.run = control::loop_back, .a = cost, .target = head});
  lowering_.code.instructions[test].target = lowering_.here();
  for (const Register& r : {limit, count, inner}) registers_.release(r);
  drop_returned(mask);
}

}  // namespace vyre::backend::reference
