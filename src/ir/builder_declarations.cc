// Symbols and buffers: what programs and sequences declare alike.

#include <fmt/format.h>

#include "base/text.h"
#include "ir/builder_recorder.h"
#include "vyre/builder.h"

namespace vyre::ir {
namespace {

Value symbol(Recorder& recorder, Symbol symbol) {
  if (!recorder.ok()) return {};
  const Type type{symbol.type, 1};
  const std::uint32_t index = recorder.add_symbol(std::move(symbol));
  return recorder.leaf({.op = Op::symbol, .type = type, .index = index});
}

}  // namespace

Value Declarations::shape(std::string_view name) {
  return symbol(*recorder_, {std::string(name), SymbolKind::shape, Scalar::u32});
}

Value Declarations::scalar(Scalar type, std::string_view name) {
  return symbol(*recorder_, {std::string(name), SymbolKind::scalar, type});
}

Value Declarations::tunable(std::string_view name, const Operand& default_value) {
  return tunable(Scalar::u32, name, default_value);
}

Value Declarations::tunable(Scalar type, std::string_view name, const Operand& default_value) {
  const Value value = recorder_->constant({type, 1}, default_value);
  if (!recorder_->ok()) return {};
  const std::uint64_t bits = recorder_->draft().nodes[Recorder::node_of(value)].expr.bits;
  return symbol(*recorder_, {std::string(name), SymbolKind::tunable, type, bits});
}

Value Declarations::constant(Scalar type, const Operand& literal) {
  return recorder_->constant({type, 1}, literal);
}

Array Declarations::read(ElementType element, std::string_view name, const Operand& length) {
  return recorder_->add_buffer(name, element, Access::read, length);
}
Array Declarations::write(ElementType element, std::string_view name, const Operand& length) {
  return recorder_->add_buffer(name, element, Access::write, length);
}
Array Declarations::read_write(ElementType element, std::string_view name, const Operand& length) {
  return recorder_->add_buffer(name, element, Access::read_write, length);
}

}  // namespace vyre::ir
