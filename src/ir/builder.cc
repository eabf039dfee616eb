#include "vyre/builder.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ir/builder_recorder.h"
#include "ir/ops.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

Value id(Recorder& recorder, IdKind kind, std::uint32_t axis, const Location& at) {
  if (axis > 2) {
    recorder.fail(at, fmt::format("{}({}): an axis is 0, 1 or 2", name_of(kind), axis));
    return {};
  }
  return recorder.leaf({.op = Op::id, .type = kU32, .index = id_index(kind, axis)});
}

std::uint32_t introduce(Recorder& recorder, std::string_view name, Type type, bool is_mutable,
                        const Operand& value) {
  Stmt stmt = make_stmt(StmtKind::let);
  stmt.args[0] = recorder.resolve_as(value, type, fmt::format("variable {}", quote(name)));
  if (!recorder.ok()) return kNone;
  stmt.variable = recorder.add_variable(name, type, is_mutable);
  recorder.add(stmt, Recorder::at(value), Effect::none);
  return stmt.variable;
}

// Runs `body` in a new scope; none if it was not opened.
ScopeId in_scope(Recorder& recorder, ScopeKind kind, std::string label, const Location& at,
                 const Builder::Body& body) {
  if (!recorder.open(kind, std::move(label), at)) return kNone;
  if (body) body();
  return recorder.close_scope();
}

void launch(Recorder& recorder, std::array<NodeId, 3>& axes, std::string_view what,
            Recorder::Operands sizes) {
  axes = {kNone, kNone, kNone};
  std::size_t axis = 0;
  for (const Operand* size : sizes) axes[axis++] = recorder.size(*size, what);
}

// A valid program, or the first mistake.
Expected<Program> finish(Recorder& recorder) {
  recorder.close();
  if (recorder.error()) return std::unexpected(*recorder.error());
  auto program = materialise(recorder.draft());
  if (!program) return program;
  auto mistakes = validate(*program);
  if (!mistakes.empty()) return std::unexpected(std::move(mistakes.front()));
  return program;
}

}  // namespace

Array Builder::local(ElementType element, std::string_view name, const Operand& length) {
  return recorder_->add_buffer(name, element, Access::local, length);
}
Array Builder::private_array(Scalar element, std::string_view name, const Operand& length) {
  return recorder_->add_buffer(name, element, Access::private_, length);
}

void Builder::workgroup(const Operand& x) {
  launch(*recorder_, recorder_->draft().workgroup, "the workgroup size", {&x});
}
void Builder::workgroup(const Operand& x, const Operand& y) {
  launch(*recorder_, recorder_->draft().workgroup, "the workgroup size", {&x, &y});
}
void Builder::workgroup(const Operand& x, const Operand& y, const Operand& z) {
  launch(*recorder_, recorder_->draft().workgroup, "the workgroup size", {&x, &y, &z});
}
void Builder::grid(const Operand& x) {
  launch(*recorder_, recorder_->draft().grid, "the grid", {&x});
}
void Builder::grid(const Operand& x, const Operand& y) {
  launch(*recorder_, recorder_->draft().grid, "the grid", {&x, &y});
}
void Builder::grid(const Operand& x, const Operand& y, const Operand& z) {
  launch(*recorder_, recorder_->draft().grid, "the grid", {&x, &y, &z});
}

Value Builder::global_id(std::uint32_t axis, Location at) {
  return id(*recorder_, IdKind::global_id, axis, at);
}
Value Builder::local_id(std::uint32_t axis, Location at) {
  return id(*recorder_, IdKind::local_id, axis, at);
}
Value Builder::group_id(std::uint32_t axis, Location at) {
  return id(*recorder_, IdKind::group_id, axis, at);
}
Value Builder::global_size(std::uint32_t axis, Location at) {
  return id(*recorder_, IdKind::global_size, axis, at);
}
Value Builder::local_size(std::uint32_t axis, Location at) {
  return id(*recorder_, IdKind::local_size, axis, at);
}
Value Builder::groups(std::uint32_t axis, Location at) {
  return id(*recorder_, IdKind::groups, axis, at);
}

Value Builder::vec(const Operand& x, const Operand& y) { return recorder_->vector({&x, &y}); }
Value Builder::vec(const Operand& x, const Operand& y, const Operand& z, const Operand& w) {
  return recorder_->vector({&x, &y, &z, &w});
}

Value Builder::let(std::string_view name, const Operand& value) {
  const std::uint32_t variable =
      introduce(*recorder_, name, recorder_->type_of(value), false, value);
  return variable == kNone ? Value{} : recorder_->read(variable);
}

Var Builder::var(std::string_view name, const Operand& initial) {
  return recorder_->make_var(
      introduce(*recorder_, name, recorder_->type_of(initial), true, initial));
}
Var Builder::var(Scalar type, std::string_view name, const Operand& initial) {
  return recorder_->make_var(introduce(*recorder_, name, {type, 1}, true, initial));
}

void Builder::if_(const Operand& condition, const Body& then) { if_(condition, then, {}); }

void Builder::if_(const Operand& condition, const Body& then, const Body& otherwise) {
  const Location& at = Recorder::at(condition);
  Stmt stmt = make_stmt(StmtKind::if_);
  stmt.args[0] = recorder_->resolve_as(condition, kBool, "if");
  const std::uint32_t id = recorder_->add(stmt, at, Effect::none);
  if (id == kNone) return;
  const ScopeId body = in_scope(*recorder_, ScopeKind::plain, "if", at, then);
  recorder_->draft().stmts[id].body = body;
  if (!otherwise) return;
  const ScopeId other = in_scope(*recorder_, ScopeKind::plain, "else", at, otherwise);
  recorder_->draft().stmts[id].otherwise = other;
}

void Builder::for_(std::string_view name, const Operand& from, const Operand& below,
                   const LoopBody& body) {
  for_(name, from, below, ForOptions{}, body);
}

void Builder::for_(std::string_view name, const Operand& from, const Operand& below,
                   const ForOptions& options, const LoopBody& body) {
  const Location& at = Recorder::at(from);
  const Operand one(1, at);
  const Operand& step = Recorder::is_given(options.step) ? options.step : one;
  const Type type = recorder_->common_type({&from, &below, &step});
  const std::string what = fmt::format("for {}", quote(name));
  Stmt stmt = make_stmt(StmtKind::for_);
  stmt.args = {recorder_->resolve_as(from, type, what), recorder_->resolve_as(below, type, what),
               recorder_->resolve_as(step, type, what)};
  if (Recorder::is_given(options.unroll)) {
    stmt.unroll = recorder_->size(options.unroll, "unroll of " + what);
  }
  if (!recorder_->ok()) return;
  const std::uint32_t variable = recorder_->add_variable(name, type, false);
  stmt.variable = variable;
  const std::uint32_t id = recorder_->add(stmt, at, Effect::none);
  if (id == kNone) return;
  const ScopeId scope = in_scope(*recorder_, ScopeKind::loop, what, at, [&] {
    if (body) body(recorder_->read(variable));
  });
  recorder_->draft().stmts[id].body = scope;
}

void Builder::while_(const Condition& condition, const Operand& limit, const Body& body,
                     Location at) {
  Stmt stmt = make_stmt(StmtKind::while_);
  stmt.args[1] = recorder_->resolve_as(limit, kU32, "the limit of while");
  const ScopeId tested = in_scope(*recorder_, ScopeKind::condition, "while", at, [&] {
    stmt.args[0] =
        recorder_->resolve_as(Operand(condition ? condition() : Value{}, at), kBool, "while");
  });
  const std::uint32_t id = recorder_->add(stmt, at, Effect::none);
  if (id == kNone) return;
  const ScopeId scope = in_scope(*recorder_, ScopeKind::loop, "while", at, body);
  recorder_->draft().stmts[id].condition = tested;
  recorder_->draft().stmts[id].body = scope;
}

void Builder::region(std::string_view name, const Body& body, Location at) {
  Stmt stmt = make_stmt(StmtKind::region);
  stmt.name = name;
  const std::uint32_t id = recorder_->add(std::move(stmt), at, Effect::none);
  if (id == kNone) return;
  const ScopeId scope =
      in_scope(*recorder_, ScopeKind::plain, fmt::format("region {}", quote(name)), at, body);
  recorder_->draft().stmts[id].body = scope;
}

void Builder::barrier(Location at) {
  recorder_->add(make_stmt(StmtKind::barrier), at, Effect::memory);
}
void Builder::return_(Location at) {
  recorder_->add(make_stmt(StmtKind::return_), at, Effect::none);
}

Value Builder::atomic_add(const Array& array, const Operand& index, const Operand& value) {
  return recorder_->atomic(AtomicOp::add, array, index, value, nullptr);
}
Value Builder::atomic_min(const Array& array, const Operand& index, const Operand& value) {
  return recorder_->atomic(AtomicOp::min, array, index, value, nullptr);
}
Value Builder::atomic_max(const Array& array, const Operand& index, const Operand& value) {
  return recorder_->atomic(AtomicOp::max, array, index, value, nullptr);
}
Value Builder::atomic_exchange(const Array& array, const Operand& index, const Operand& value) {
  return recorder_->atomic(AtomicOp::exchange, array, index, value, nullptr);
}
Value Builder::atomic_compare_exchange(const Array& array, const Operand& index,
                                       const Operand& expected, const Operand& value) {
  return recorder_->atomic(AtomicOp::compare_exchange, array, index, value, &expected);
}

Expected<Program> build(std::string_view name, const std::function<void(Builder&)>& body) {
  const auto recorder = std::make_shared<Recorder>(name, "program");
  Builder builder(recorder);
  if (body) body(builder);
  return finish(*recorder);
}

Expected<Program> from_source(std::string_view name, Source source,
                              const std::function<void(Builder&)>& declare) {
  const auto recorder = std::make_shared<Recorder>(name, "program");
  recorder->draft().source = std::move(source);
  Builder builder(recorder);
  if (declare) declare(builder);
  return finish(*recorder);
}

}  // namespace vyre::ir
