#include "vyre/value.h"

#include "ir/build/operations.h"
#include "ir/build/statements.h"

namespace vyre::ir {

Value Value::operator[](const Operand& i) const { return extract_element(*this, i); }

Operand::Operand(const Var& variable, Location at)
    : value_(variable.recorder_ ? variable.recorder_->read(variable.variable_) : Value{}),
      at_(at) {}

Var::operator Value() const { return recorder_ ? recorder_->read(variable_) : Value{}; }

Var& Var::operator=(const Operand& value) {
  if (recorder_) assign_variable(*recorder_, variable_, value);
  return *this;
}

// `v = v` is an assignment of the kernel like any other.
// NOLINTNEXTLINE(bugprone-unhandled-self-assignment)
Var& Var::operator=(const Var& other) { return *this = Operand(other); }

Var& Var::update(Op op, const Operand& value) {
  const Operand old(*this, Recorder::at(value));
  return *this = Operand(apply(op, {&old, &value}), Recorder::at(value));
}

void Element::store(const Operand& value) const { store_back(*this, value); }

void Element::operator=(const Element& value) && { store(Operand(value)); }
void Element::operator=(const Operand& value) && { store(value); }

void Element::update(Op op, const Operand& value) const {
  const Operand old(*this, Recorder::at(value));
  store(Operand(apply(op, {&old, &value}), Recorder::at(value)));
}

#define VYRE_UPDATE(spelling, op) \
  Var& Var::operator spelling(const Operand & value) { return update(Op::op, value); }
VYRE_UPDATE(+=, add)
VYRE_UPDATE(-=, sub)
VYRE_UPDATE(*=, mul)
VYRE_UPDATE(/=, div)
VYRE_UPDATE(&=, and_)
VYRE_UPDATE(|=, or_)
VYRE_UPDATE(^=, xor_)
VYRE_UPDATE(<<=, shl)
VYRE_UPDATE(>>=, shr)
#undef VYRE_UPDATE

#define VYRE_UPDATE(spelling, op) \
  void Element::operator spelling(const Operand & value)&& { update(Op::op, value); }
VYRE_UPDATE(+=, add)
VYRE_UPDATE(-=, sub)
VYRE_UPDATE(*=, mul)
VYRE_UPDATE(/=, div)
VYRE_UPDATE(&=, and_)
VYRE_UPDATE(|=, or_)
VYRE_UPDATE(^=, xor_)
#undef VYRE_UPDATE

Element Array::operator[](const Operand& index) const {
  return Element(recorder_ ? load_elements(*recorder_, buffer_, index, 1) : Value{});
}
Value Array::load2(const Operand& index) const {
  return recorder_ ? load_elements(*recorder_, buffer_, index, 2) : Value{};
}
Value Array::load4(const Operand& index) const {
  return recorder_ ? load_elements(*recorder_, buffer_, index, 4) : Value{};
}
void Array::store2(const Operand& index, const Operand& value) const {
  if (recorder_) store_elements(*recorder_, buffer_, index, value, 2);
}
void Array::store4(const Operand& index, const Operand& value) const {
  if (recorder_) store_elements(*recorder_, buffer_, index, value, 4);
}

Value length(const Array& array) {
  const auto recorder = Recorder::of(array);
  if (!recorder) return {};
  return recorder->leaf(
      {.op = Op::length, .type = {u32, 1}, .index = Recorder::buffer_index(array)});
}

#define VYRE_BINARY(spelling, op) \
  Value operator spelling(const Operand& a, const Operand& b) { return apply(Op::op, {&a, &b}); }
VYRE_BINARY(+, add)
VYRE_BINARY(-, sub)
VYRE_BINARY(*, mul)
VYRE_BINARY(/, div)
VYRE_BINARY(%, mod)
VYRE_BINARY(&, and_)
VYRE_BINARY(|, or_)
VYRE_BINARY(^, xor_)
VYRE_BINARY(<<, shl)
VYRE_BINARY(>>, shr)
VYRE_BINARY(==, eq)
VYRE_BINARY(!=, ne)
VYRE_BINARY(<, lt)
VYRE_BINARY(<=, le)
VYRE_BINARY(>, gt)
VYRE_BINARY(>=, ge)
#undef VYRE_BINARY

Value operator&&(const Operand& a, const Operand& b) {
  return apply_bools(Op::and_, "&&", {&a, &b});
}
Value operator||(const Operand& a, const Operand& b) {
  return apply_bools(Op::or_, "||", {&a, &b});
}
Value operator!(const Operand& a) { return apply_bools(Op::not_, "!", {&a}); }
Value operator~(const Operand& a) { return apply(Op::not_, {&a}); }
Value operator-(const Operand& a) { return apply(Op::neg, {&a}); }

#define VYRE_POINTERS_1 &a
#define VYRE_POINTERS_2 &a, &b
#define VYRE_POINTERS_3 &a, &b, &c
#define VYRE_OP(name, arity, rule, spelling, meaning) \
  Value name(VYRE_OPERANDS_##arity) { return apply(Op::name, {VYRE_POINTERS_##arity}); }
#include "vyre/ops.def"

Value select(const Operand& condition, const Operand& if_true, const Operand& if_false) {
  return apply(Op::select, {&condition, &if_true, &if_false});
}
Value cast(Scalar to, const Operand& value) { return convert(Op::cast, to, value); }
Value bitcast(Scalar to, const Operand& value) { return convert(Op::bitcast, to, value); }

}  // namespace vyre::ir
