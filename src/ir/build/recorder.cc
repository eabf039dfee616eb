#include "ir/build/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ir/build/describe.h"
#include "ir/build/literal_bits.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

std::string_view file_name(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

constexpr std::uint64_t kMostWeight = Limits::kNodes + 1;

bool may_be_size(Op op) {
  return op == Op::constant || op == Op::symbol || op == Op::select || op == Op::cast ||
         in_table(op);
}

}  // namespace

Recorder::Recorder(std::string_view name, std::string_view noun) : noun_(noun) {
  draft_.name = name;
  draft_.scopes.emplace_back();
}

void Recorder::fail(const Location& at, std::string_view message) {
  if (!ok()) return;
  std::string place = fmt::format("at {}:{}", file_name(at.file_name()), at.line());
  for (std::size_t i = open_.size(); i-- > 1;) {
    place += (i + 1 == open_.size() ? ", in " : " in ") + draft_.scopes[open_[i]].label;
  }
  error_ = Error{ErrorKind::rejected, "builder",
                 fmt::format("{} {}, {}: {}", noun_, quote(draft_.name), place, message)};
}

void Recorder::fail(Error error) {
  if (ok()) error_ = std::move(error);
}

std::uint32_t Recorder::add_variable(std::string_view name, Type type, bool is_mutable) {
  draft_.variables.push_back({std::string(name), type, is_mutable});
  return static_cast<std::uint32_t>(draft_.variables.size() - 1);
}

std::uint32_t Recorder::add(Stmt stmt, const Location& at, Effect effect) {
  if (ok() && scope().kind == ScopeKind::condition) {
    fail(at, "a while condition can only compute; put statements into the body or before the loop");
  }
  if (!ok()) return kNone;
  const auto id = static_cast<std::uint32_t>(draft_.stmts.size());
  draft_.stmts.push_back({.stmt = std::move(stmt), .scope = open_.back(), .epoch = scope().epoch});
  scope().items.push_back({true, id});
  if (effect == Effect::memory) ++scope().epoch.memory;
  if (effect == Effect::variables) ++scope().epoch.variables;
  return id;
}

bool Recorder::open(ScopeKind kind, std::string label, const Location& at) {
  if (open_.size() > Limits::kStmtDepth) {
    fail(at, fmt::format("statements are nested more than {} deep", Limits::kStmtDepth));
  }
  if (!ok()) return false;
  const auto id = static_cast<ScopeId>(draft_.scopes.size());
  const ScopeId loop = kind == ScopeKind::plain ? scope().loop : id;
  draft_.scopes.push_back({.kind = kind, .loop = loop, .label = std::move(label)});
  open_.push_back(id);
  return true;
}

ScopeId Recorder::close_scope() {
  const ScopeId id = open_.back();
  const Epoch inner = scope().epoch;
  open_.pop_back();
  if (inner.memory != 0) ++scope().epoch.memory;
  if (inner.variables != 0) ++scope().epoch.variables;
  return id;
}

std::uint32_t Recorder::add_symbol(Symbol symbol) {
  draft_.symbols.push_back(std::move(symbol));
  return static_cast<std::uint32_t>(draft_.symbols.size() - 1);
}

Array Recorder::add_buffer(std::string_view name, const ElementType& element, Access access,
                           const Operand& length) {
  const NodeId node = size(length, fmt::format("the length of {}", quote(name)));
  Array array;
  if (!ok()) return array;
  draft_.buffers.push_back({std::string(name), element.scalar, access, node, element.bytes});
  array.recorder_ = shared_from_this();
  array.buffer_ = static_cast<std::uint32_t>(draft_.buffers.size() - 1);
  return array;
}

std::uint32_t Recorder::buffer_of(const Array& array, const Location& at) {
  if (array.recorder_.get() == this) return array.buffer_;
  fail(at, array.recorder_ ? fmt::format("an array of another {} is used", noun_)
                           : std::string("an empty array is used"));
  return kNone;
}

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
  // Only a variable's name ends with its scope: the other leaves are the same everywhere.
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

std::string Recorder::describe(const Operand& operand) const {
  if (operand.is_literal_) return "the literal " + to_string(operand.literal_);
  if (operand.value_.recorder_.get() != this) return "an empty value";
  return ir::describe(draft_, operand.value_.node_);
}

}  // namespace vyre::ir
