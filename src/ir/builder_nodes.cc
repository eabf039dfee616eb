// Values: operands to nodes, checked for type and scope.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ir/builder_recorder.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

constexpr std::uint64_t kMostWeight = Limits::kNodes + 1;

bool may_be_size(Op op) {
  return op == Op::constant || op == Op::symbol || op == Op::select || op == Op::cast ||
         in_table(op);
}

}  // namespace

Value Recorder::make(NodeId node) {
  Value value;
  if (node == kNone) return value;
  value.recorder_ = shared_from_this();
  value.node_ = node;
  return value;
}

NodeId Recorder::push(Expr expr) {
  if (!ok()) return kNone;
  DraftNode node{.expr = expr, .scope = open_.back(), .epoch = scope().epoch};
  node.is_size = may_be_size(expr.op);
  for (std::uint32_t i = 0; i < operand_count(expr); ++i) {
    const DraftNode& arg = draft_.nodes[expr.args[i]];
    node.is_size = node.is_size && arg.is_size;
    node.height = std::max(node.height, std::min(arg.height, Limits::kExprDepth) + 1);
    node.weight = std::min(node.weight + arg.weight, kMostWeight);
  }
  const auto id = static_cast<NodeId>(draft_.nodes.size());
  const bool placed = !is_leaf(draft_, expr);
  // Only names made inside a scope end with it: the other leaves are the same everywhere.
  if (!placed && expr.op != Op::variable) node.scope = 0;
  draft_.nodes.push_back(node);
  if (placed) scope().items.push_back({false, id});
  return id;
}

Value Recorder::leaf(Expr expr) { return make(push(expr)); }

Value Recorder::read(std::uint32_t variable) {
  if (!ok()) return {};
  return leaf({.op = Op::variable, .type = draft_.variables[variable].type, .index = variable});
}

Value Recorder::constant(Type type, const Operand& literal) {
  if (!is_literal(literal)) {
    fail(at(literal), "a constant takes a C++ number or bool, not " + describe(literal));
    return {};
  }
  return make(push_literal(literal, type));
}

NodeId Recorder::push_literal(const Operand& operand, Type type) {
  const auto bits = literal_bits(operand.literal_, type.scalar);
  if (!bits) {
    const bool is_double = operand.literal_.kind == Literal::Kind::real && is_float(type);
    fail(at(operand),
         fmt::format("{} is not exactly a value of type {}{}", to_string(operand.literal_),
                     name_of(type.scalar), is_double ? "; write it as a float" : ""));
    return kNone;
  }
  Expr splat{.op = Op::vector, .type = type};
  for (std::uint32_t i = 0; i < type.width; ++i) {
    splat.args[i] = push({.op = Op::constant, .type = {type.scalar, 1}, .bits = *bits});
  }
  return type.width == 1 ? splat.args[0] : push(splat);
}

bool Recorder::is_visible(const DraftNode& node) const {
  return std::ranges::find(open_, node.scope) != open_.end();
}

NodeId Recorder::resolve(const Operand& operand, Type type) {
  if (!ok()) return kNone;
  if (operand.is_literal_) return push_literal(operand, type);
  if (!operand.value_.recorder_) {
    fail(at(operand), "an empty value is used");
  } else if (operand.value_.recorder_.get() != this) {
    fail(at(operand), fmt::format("a value of another {} is used", noun_));
  } else if (!is_visible(draft_.nodes[operand.value_.node_])) {
    fail(at(operand), fmt::format("{} is used outside its block; use b.var", describe(operand)));
  }
  return ok() ? operand.value_.node_ : kNone;
}

NodeId Recorder::resolve_as(const Operand& operand, Type type, std::string_view what) {
  const NodeId node = resolve(operand, type);
  if (node == kNone || draft_.nodes[node].expr.type == type) return node;
  fail(at(operand), fmt::format("{} takes {}, not {}", what, to_string(type), describe(operand)));
  return kNone;
}

NodeId Recorder::size(const Operand& operand, std::string_view what) {
  return argument(operand, {u32, 1}, what);
}

NodeId Recorder::argument(const Operand& operand, Type type, std::string_view what) {
  const NodeId node = resolve_as(operand, type, what);
  if (node == kNone) return kNone;
  const DraftNode& found = draft_.nodes[node];
  if (!found.is_size) {
    fail(at(operand), fmt::format("{} may use constants, shapes, scalars and tunables only, not {}",
                                  what, describe(operand)));
  } else if (found.height > Limits::kExprDepth || found.weight > Limits::kNodes) {
    fail(at(operand), fmt::format("{} is too large an expression", what));
  }
  return ok() ? node : kNone;
}

Type Recorder::type_of(const Operand& operand) const {
  if (!operand.is_literal_) {
    const bool known = operand.value_.recorder_.get() == this;
    return known ? draft_.nodes[operand.value_.node_].expr.type : Type{};
  }
  switch (operand.literal_.kind) {
    case Literal::Kind::truth:
      return {boolean, 1};
    case Literal::Kind::whole:
      return {u32, 1};
    case Literal::Kind::real:
      return {f32, 1};
  }
  return {};
}

Type Recorder::common_type(Operands operands) const {
  for (const Operand* operand : operands) {
    if (!operand->is_literal_) return type_of(*operand);
  }
  return operands.size() == 0 ? Type{} : type_of(**operands.begin());
}

Value Recorder::load(std::uint32_t buffer, const Operand& index, std::uint8_t width) {
  if (!ok()) return {};
  const Type type{draft_.buffers[buffer].element, width};
  const std::string name = quote(draft_.buffers[buffer].name);
  if (!is_allowed(type)) {
    fail(at(index), fmt::format("{} has elements of {}, and only u32 and f32 come in vectors", name,
                                name_of(type.scalar)));
  }
  Expr expr{.op = Op::load, .type = type, .index = buffer};
  expr.args[0] = resolve_as(index, {u32, 1}, "an index of " + name);
  return ok() ? make(push(expr)) : Value{};
}

std::string Recorder::describe_node(NodeId node) const {
  const Expr& expr = draft_.nodes[node].expr;
  const auto named = [&](std::string_view name) {
    return fmt::format("{} {}", to_string(expr.type), quote(name));
  };
  switch (expr.op) {
    case Op::constant:
      return fmt::format("a constant {}", to_string(expr.type));
    case Op::symbol:
      return named(draft_.symbols[expr.index].name);
    case Op::variable: {
      const std::string& name = draft_.variables[expr.index].name;
      return name.empty() ? fmt::format("{} of an atomic", to_string(expr.type)) : named(name);
    }
    case Op::id:
      return fmt::format("{} {}({})", to_string(expr.type), name_of(id_kind(expr.index)),
                         id_axis(expr.index));
    case Op::length:
      return fmt::format("u32 length({})", quote(draft_.buffers[expr.index].name));
    case Op::load:
      return fmt::format("{} {}[...]", to_string(expr.type),
                         quote(draft_.buffers[expr.index].name));
    default:
      return fmt::format("{} {}(...)", to_string(expr.type), name_of_any(expr.op));
  }
}

std::string Recorder::describe(const Operand& operand) const {
  if (operand.is_literal_) return "the literal " + to_string(operand.literal_);
  if (operand.value_.recorder_.get() != this) return "an empty value";
  return describe_node(operand.value_.node_);
}

}  // namespace vyre::ir
