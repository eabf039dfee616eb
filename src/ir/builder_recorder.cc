// Scopes, statements, declarations and the first mistake.

#include "ir/builder_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

std::string_view file_name(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
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

void Recorder::assign(std::uint32_t variable, const Operand& value) {
  if (!ok()) return;
  const Type type = draft_.variables[variable].type;
  const std::string what = fmt::format("variable {}", quote(draft_.variables[variable].name));
  Stmt stmt = make_stmt(StmtKind::assign);
  stmt.variable = variable;
  stmt.args[0] = resolve_as(value, type, what);
  add(std::move(stmt), at(value), Effect::variables);
}

void Recorder::store(std::uint32_t buffer, const Operand& index, const Operand& value,
                     std::uint8_t width) {
  if (!ok()) return;
  const Buffer& target = draft_.buffers[buffer];
  const std::string what = fmt::format("a store to {}", quote(target.name));
  if (!is_writable(target.access)) {
    fail(at(value), what + ", which is only read; declare it with write or read_write");
  }
  Stmt stmt = make_stmt(StmtKind::store);
  stmt.buffer = buffer;
  stmt.args[0] = resolve_as(index, {u32, 1}, fmt::format("an index of {}", quote(target.name)));
  stmt.args[1] = resolve_as(value, {target.element, width}, what);
  add(std::move(stmt), at(value), Effect::memory);
}

void Recorder::store_back(const Value& loaded, const Operand& value) {
  const auto recorder = loaded.recorder_;
  if (!recorder || !recorder->ok()) return;
  const Expr load = recorder->draft_.nodes[loaded.node_].expr;
  recorder->store(load.index, Operand(recorder->make(load.args[0]), at(value)), value, 1);
}

Value Recorder::atomic(AtomicOp op, const Array& array, const Operand& index, const Operand& value,
                       const Operand* expected) {
  const std::uint32_t buffer = buffer_of(array, at(index));
  if (!ok()) return {};
  const Buffer target = draft_.buffers[buffer];
  const Type type{target.element, 1};
  const std::string what = fmt::format("atomic_{} on {}", name_of(op), quote(target.name));
  Stmt stmt = make_stmt(StmtKind::atomic);
  stmt.atomic = op;
  stmt.buffer = buffer;
  stmt.args[0] = resolve_as(index, {u32, 1}, fmt::format("an index of {}", quote(target.name)));
  if (expected != nullptr) stmt.args[2] = resolve_as(*expected, type, what);
  stmt.args[1] = resolve_as(value, type, what);
  stmt.variable = add_variable("", type, false);
  const std::uint32_t id = add(stmt, at(index), Effect::memory);
  if (id == kNone) return {};
  const Value result = leaf({.op = Op::variable, .type = type, .index = stmt.variable});
  draft_.stmts[id].result = result.node_;
  return result;
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

}  // namespace vyre::ir
