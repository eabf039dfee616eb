#include "ir/build/statements.h"

#include <fmt/format.h>

#include "base/text.h"

namespace vyre::ir {

std::uint32_t introduce_variable(Recorder& recorder, std::string_view name, Type type,
                                 bool is_mutable, const Operand& value) {
  Stmt stmt = make_stmt(StmtKind::let);
  stmt.args[0] = recorder.resolve_as(value, type, fmt::format("variable {}", quote(name)));
  if (!recorder.ok()) return kNone;
  stmt.variable = recorder.add_variable(name, type, is_mutable);
  recorder.add(stmt, Recorder::at(value), Effect::none);
  return stmt.variable;
}

void assign_variable(Recorder& recorder, std::uint32_t variable, const Operand& value) {
  if (!recorder.ok()) return;
  const Type type = recorder.draft().variables[variable].type;
  const std::string what =
      fmt::format("variable {}", quote(recorder.draft().variables[variable].name));
  Stmt stmt = make_stmt(StmtKind::assign);
  stmt.variable = variable;
  stmt.args[0] = recorder.resolve_as(value, type, what);
  recorder.add(std::move(stmt), Recorder::at(value), Effect::variables);
}

void store_elements(Recorder& recorder, std::uint32_t buffer, const Operand& index,
                    const Operand& value, std::uint8_t width) {
  if (!recorder.ok()) return;
  const Buffer& target = recorder.draft().buffers[buffer];
  const std::string what = fmt::format("a store to {}", quote(target.name));
  if (!is_writable(target.access)) {
    recorder.fail(Recorder::at(value),
                  what + ", which is only read; declare it with write or read_write");
  }
  Stmt stmt = make_stmt(StmtKind::store);
  stmt.buffer = buffer;
  stmt.args[0] =
      recorder.resolve_as(index, {u32, 1}, fmt::format("an index of {}", quote(target.name)));
  stmt.args[1] = recorder.resolve_as(value, {target.element, width}, what);
  recorder.add(std::move(stmt), Recorder::at(value), Effect::memory);
}

void store_back(const Value& loaded, const Operand& value) {
  const auto recorder = Recorder::of(loaded);
  if (!recorder || !recorder->ok()) return;
  const Expr load = recorder->draft().nodes[Recorder::node_of(loaded)].expr;
  const Operand index(recorder->make(load.args[0]), Recorder::at(value));
  store_elements(*recorder, load.index, index, value, 1);
}

Value add_atomic(Recorder& recorder, AtomicOp op, const Array& array, const Operand& index,
                 const Operand& value, const Operand* expected) {
  const std::uint32_t buffer = recorder.buffer_of(array, Recorder::at(index));
  if (!recorder.ok()) return {};
  const Buffer target = recorder.draft().buffers[buffer];
  const Type type{target.element, 1};
  const std::string what = fmt::format("atomic_{} on {}", name_of(op), quote(target.name));
  Stmt stmt = make_stmt(StmtKind::atomic);
  stmt.atomic = op;
  stmt.buffer = buffer;
  stmt.args[0] =
      recorder.resolve_as(index, {u32, 1}, fmt::format("an index of {}", quote(target.name)));
  if (expected != nullptr) stmt.args[2] = recorder.resolve_as(*expected, type, what);
  stmt.args[1] = recorder.resolve_as(value, type, what);
  stmt.variable = recorder.add_variable("", type, false);
  const std::uint32_t id = recorder.add(stmt, Recorder::at(index), Effect::memory);
  if (id == kNone) return {};
  const Value result = recorder.leaf({.op = Op::variable, .type = type, .index = stmt.variable});
  recorder.draft().stmts[id].result = Recorder::node_of(result);
  return result;
}

ScopeId in_scope(Recorder& recorder, ScopeKind kind, std::string label, const Location& at,
                 const std::function<void()>& body) {
  if (!recorder.open(kind, std::move(label), at)) return kNone;
  if (body) body();
  return recorder.close_scope();
}

}  // namespace vyre::ir
