#include <algorithm>

#include "backend/reference/lowering.h"
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

void Lowering::block(const Block& block, std::uint32_t mask) {
  const std::size_t scope = in_scope_.size();
  for (const StmtId id : block) {
    stmt(id, mask);
    // What follows a return in its own block never runs.
    if (program_.stmts[id].kind == StmtKind::return_) break;
  }
  while (in_scope_.size() > scope) {
    release(variables_[in_scope_.back()]);
    in_scope_.pop_back();
  }
}

void Lowering::stmt(StmtId id, std::uint32_t mask) {
  const Stmt& s = program_.stmts[id];
  mask_ = mask;
  stmt_ = id;
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
      emit({.run = control::switch_off, .dst = code_.alive, .a = mask});
      return;
    case StmtKind::barrier:
      if (options_.detect_races) emit({.run = control::barrier});
      return;
  }
}

// A new variable needs no mask: lanes that are off never read it.
void Lowering::let(const Stmt& s) {
  const Register r = allocate(program_.variables[s.variable].type, false);
  expr_into(s.args[0], r);
  variables_[s.variable] = r;
  in_scope_.push_back(s.variable);
}

void Lowering::assign(const Stmt& s, std::uint32_t mask) {
  const Register& dst = variables_[s.variable];
  const Register value = expr(s.args[0]);
  for (std::uint32_t k = 0; k < dst.type.width; ++k) {
    emit({.run = select_handler(dst.type.scalar),
          .dst = element(dst, k).offset,
          .a = element(value, k).offset,
          .b = element(dst, k).offset,
          .c = mask});
  }
  release_if_temporary(value);
}

void Lowering::store(const Stmt& s, std::uint32_t mask) {
  const ir::Buffer& buffer = program_.buffers[s.buffer];
  const Register index = expr(s.args[0]);
  const Register value = expr(s.args[1]);
  watch(s.buffer, index, value.type.width, Touch::write);
  emit({.run = store_handler(buffer.element, index.type.scalar, place_of(buffer.access)),
        .dst = mask,
        .a = index.offset,
        .b = value.offset,
        .c = value.type.width,
        .buffer = s.buffer});
  release_if_temporary(value);
  release_if_temporary(index);
}

void Lowering::atomic(const Stmt& s, std::uint32_t mask) {
  const ir::Buffer& buffer = program_.buffers[s.buffer];
  const bool has_result = s.variable != ir::kNone;
  const Register old = allocate({buffer.element, 1}, !has_result);
  const Register index = expr(s.args[0]);
  const Register value = expr(s.args[1]);
  const Register expected = s.args[2] == ir::kNone ? value : expr(s.args[2]);
  watch(s.buffer, index, 1, Touch::atomic);
  emit({.run = atomic_handler(s.atomic, buffer.element, index.type.scalar, place_of(buffer.access)),
        .dst = old.offset,
        .a = index.offset,
        .b = value.offset,
        .c = expected.offset,
        .buffer = s.buffer,
        .target = mask});
  if (s.args[2] != ir::kNone) release_if_temporary(expected);
  release_if_temporary(value);
  release_if_temporary(index);
  if (has_result) {
    variables_[s.variable] = old;
    in_scope_.push_back(s.variable);
  } else {
    release(old);
  }
}

// Lanes that returned inside a statement are gone for what follows it.
void Lowering::drop_returned(std::uint32_t mask) {
  if (has_return_) emit({.run = control::keep_alive, .dst = mask, .a = mask, .b = code_.alive});
}

void Lowering::if_(const Stmt& s, std::uint32_t mask) {
  // A copy: the body may assign to what the condition is made of before `else` looks at it.
  const Register condition = allocate({Scalar::boolean, 1}, false);
  expr_into(s.args[0], condition);
  const Register inner = allocate(kMask, false);
  const std::uint32_t enter =
      emit({.run = control::enter_if, .dst = inner.offset, .a = mask, .b = condition.offset});
  block(s.body, inner.offset);
  code_.instructions[enter].target = here();
  if (!s.otherwise.empty()) {
    const std::uint32_t other =
        emit({.run = control::enter_else, .dst = inner.offset, .a = mask, .b = condition.offset});
    block(s.otherwise, inner.offset);
    code_.instructions[other].target = here();
  }
  release(inner);
  release(condition);
  drop_returned(mask);
}

void Lowering::for_(const Stmt& s, std::uint32_t mask) {
  const Type type = program_.variables[s.variable].type;
  const Register variable = allocate(type, false);
  const Register count = allocate({Scalar::u64, 1}, false);
  const Register inner = allocate(kMask, false);
  const Register step = allocate(type, false);
  expr_into(s.args[0], variable);
  expr_into(s.args[2], step);
  const Register end = expr(s.args[1]);
  emit({.run = trip_count_handler(type.scalar),
        .dst = count.offset,
        .a = variable.offset,
        .b = end.offset,
        .c = step.offset});
  release_if_temporary(end);
  const std::uint32_t enter =
      emit({.run = for_enter, .dst = inner.offset, .a = mask, .b = count.offset});
  variables_[s.variable] = variable;
  const std::uint32_t first = here();
  block(s.body, inner.offset);
  drop_returned(inner.offset);
  const std::uint32_t cost = cost_since(first);
  emit({.run = for_next_handler(type.scalar),
        .dst = variable.offset,
        .a = step.offset,
        .b = count.offset,
        .c = inner.offset,
        .buffer = cost,
        .target = first});
  code_.instructions[enter].target = here();
  for (const Register& r : {step, inner, count, variable}) release(r);
  drop_returned(mask);
}

void Lowering::while_(const Stmt& s, std::uint32_t mask) {
  const Register inner = allocate(kMask, false);
  const Register count = allocate({Scalar::u32, 1}, false);
  const Register limit = allocate({Scalar::u32, 1}, false);
  expr_into(s.args[1], limit);
  emit({.run = copy_handler(Scalar::boolean), .dst = inner.offset, .a = mask});
  emit({.run = control::clear_counter, .dst = count.offset});
  const std::uint32_t head = here();
  mask_ = inner.offset;
  const Register condition = expr(s.args[0]);
  const std::uint32_t test = emit({.run = control::while_test,
                                   .dst = inner.offset,
                                   .a = limit.offset,
                                   .b = condition.offset,
                                   .c = count.offset});
  release_if_temporary(condition);
  block(s.body, inner.offset);
  drop_returned(inner.offset);
  const std::uint32_t cost = cost_since(head);
  emit({.run = control::loop_back, .a = cost, .target = head});
  code_.instructions[test].target = here();
  for (const Register& r : {limit, count, inner}) release(r);
  drop_returned(mask);
}

}  // namespace vyre::backend::reference
