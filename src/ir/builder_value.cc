// Var, Element and Array: reads and writes where they are written.

#include "ir/builder_recorder.h"

namespace vyre::ir {

Value Value::operator[](const Operand& i) const { return Recorder::extract(*this, i); }

Operand::Operand(const Var& variable, Location at)
    : value_(variable.recorder_ ? variable.recorder_->read(variable.variable_) : Value{}),
      at_(at) {}

Var::operator Value() const { return recorder_ ? recorder_->read(variable_) : Value{}; }

Var& Var::operator=(const Operand& value) {
  if (recorder_) recorder_->assign(variable_, value);
  return *this;
}

// `v = v` is an assignment of the kernel like any other.
// NOLINTNEXTLINE(bugprone-unhandled-self-assignment)
Var& Var::operator=(const Var& other) { return *this = Operand(other); }

Var& Var::update(Op op, const Operand& value) {
  const Operand old(*this, Recorder::at(value));
  return *this = Operand(Recorder::apply(op, {&old, &value}), Recorder::at(value));
}

void Element::store(const Operand& value) const { Recorder::store_back(*this, value); }

void Element::operator=(const Element& value) && { store(Operand(value)); }
void Element::operator=(const Operand& value) && { store(value); }

void Element::update(Op op, const Operand& value) const {
  const Operand old(*this, Recorder::at(value));
  store(Operand(Recorder::apply(op, {&old, &value}), Recorder::at(value)));
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
  return Element(recorder_ ? recorder_->load(buffer_, index, 1) : Value{});
}
Value Array::load2(const Operand& index) const {
  return recorder_ ? recorder_->load(buffer_, index, 2) : Value{};
}
Value Array::load4(const Operand& index) const {
  return recorder_ ? recorder_->load(buffer_, index, 4) : Value{};
}
void Array::store2(const Operand& index, const Operand& value) const {
  if (recorder_) recorder_->store(buffer_, index, value, 2);
}
void Array::store4(const Operand& index, const Operand& value) const {
  if (recorder_) recorder_->store(buffer_, index, value, 4);
}

Value length(const Array& array) {
  const auto recorder = Recorder::of(array);
  if (!recorder) return {};
  return recorder->leaf(
      {.op = Op::length, .type = {u32, 1}, .index = Recorder::buffer_index(array)});
}

}  // namespace vyre::ir
