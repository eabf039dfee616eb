#include "vyre/builder.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "ir/build/operations.h"
#include "ir/build/statements.h"
#include "ir/build/steps.h"
#include "ir/includes.h"
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

void launch(Recorder& recorder, std::array<NodeId, 3>& axes, std::string_view what,
            Operands sizes) {
  axes = {kNone, kNone, kNone};
  std::size_t axis = 0;
  for (const Operand* size : sizes) axes[axis++] = recorder.size(*size, what);
}

Value declare(Recorder& recorder, Symbol symbol) {
  if (!recorder.ok()) return {};
  const Type type{symbol.type, 1};
  const std::uint32_t index = recorder.add_symbol(std::move(symbol));
  return recorder.leaf({.op = Op::symbol, .type = type, .index = index});
}

// 0 after a mistake.
std::uint64_t bits_of_constant(Recorder& recorder, Scalar type, const Operand& literal) {
  const Value value = recorder.constant({type, 1}, literal);
  return recorder.ok() ? recorder.draft().nodes[Recorder::node_of(value)].expr.bits : 0;
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

Value Declarations::shape(std::string_view name) {
  return declare(*recorder_, {std::string(name), SymbolKind::shape, Scalar::u32});
}

Value Declarations::scalar(Scalar type, std::string_view name) {
  return declare(*recorder_, {std::string(name), SymbolKind::scalar, type});
}

Value Declarations::tunable(std::string_view name, const Operand& default_value) {
  return tunable(Scalar::u32, name, default_value);
}

Value Declarations::tunable(Scalar type, std::string_view name, const Operand& default_value) {
  return tunable(type, name, default_value, {});
}

Value Declarations::tunable(std::string_view name, const Operand& default_value,
                            std::initializer_list<Operand> values) {
  return tunable(Scalar::u32, name, default_value, values);
}

Value Declarations::tunable(Scalar type, std::string_view name, const Operand& default_value,
                            std::initializer_list<Operand> values) {
  Symbol symbol{std::string(name), SymbolKind::tunable, type, 0, {}};
  symbol.default_bits = bits_of_constant(*recorder_, type, default_value);
  for (const Operand& value : values) {
    symbol.values.push_back(bits_of_constant(*recorder_, type, value));
  }
  return declare(*recorder_, std::move(symbol));
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

Value Builder::vec(const Operand& x, const Operand& y) { return make_vector(*recorder_, {&x, &y}); }
Value Builder::vec(const Operand& x, const Operand& y, const Operand& z, const Operand& w) {
  return make_vector(*recorder_, {&x, &y, &z, &w});
}

Value Builder::let(std::string_view name, const Operand& value) {
  const std::uint32_t variable =
      introduce_variable(*recorder_, name, recorder_->type_of(value), false, value);
  return variable == kNone ? Value{} : recorder_->read(variable);
}

Var Builder::var(std::string_view name, const Operand& initial) {
  return recorder_->make_var(
      introduce_variable(*recorder_, name, recorder_->type_of(initial), true, initial));
}
Var Builder::var(Scalar type, std::string_view name, const Operand& initial) {
  return recorder_->make_var(introduce_variable(*recorder_, name, {type, 1}, true, initial));
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
  return add_atomic(*recorder_, AtomicOp::add, array, index, value, nullptr);
}
Value Builder::atomic_min(const Array& array, const Operand& index, const Operand& value) {
  return add_atomic(*recorder_, AtomicOp::min, array, index, value, nullptr);
}
Value Builder::atomic_max(const Array& array, const Operand& index, const Operand& value) {
  return add_atomic(*recorder_, AtomicOp::max, array, index, value, nullptr);
}
Value Builder::atomic_exchange(const Array& array, const Operand& index, const Operand& value) {
  return add_atomic(*recorder_, AtomicOp::exchange, array, index, value, nullptr);
}
Value Builder::atomic_compare_exchange(const Array& array, const Operand& index,
                                       const Operand& expected, const Operand& value) {
  return add_atomic(*recorder_, AtomicOp::compare_exchange, array, index, value, &expected);
}

Expected<Program> build(std::string_view name, const std::function<void(Builder&)>& body) {
  const auto recorder = std::make_shared<Recorder>(name, "program");
  Builder builder(recorder);
  if (body) body(builder);
  return finish(*recorder);
}

Expected<Program> from_source(std::string_view name, Source source,
                              const std::function<void(Builder&)>& declare) {
  const std::string file = source.file.empty() ? std::string(name) : source.file;
  auto whole = with_includes(source.text, {.name = file, .options = source.options});
  if (!whole) return bad_inputs("program {}: {}", quote(name), whole.error().message);
  source.text = *std::move(whole);
  const auto recorder = std::make_shared<Recorder>(name, "program");
  recorder->draft().source = std::move(source);
  Builder builder(recorder);
  if (declare) declare(builder);
  return finish(*recorder);
}

Array SequenceBuilder::scratch(Scalar element, std::string_view name, const Operand& length) {
  return recorder_->add_buffer(name, element, Access::private_, length);
}

void SequenceBuilder::run(const Expected<Program>& program, std::initializer_list<Array> buffers,
                          std::initializer_list<Operand> symbols, Location at) {
  if (!program) return recorder_->fail(program.error());
  add_step(*recorder_, *def_, *program, buffers, symbols, when_, at);
}

void SequenceBuilder::when(const Operand& condition, const Body& body) {
  if (when_ != kNone) {
    recorder_->fail(Recorder::at(condition), "a when stands in another; join both conditions");
  }
  const Type type = recorder_->common_type({&condition});
  const std::uint32_t node = recorder_->argument(condition, type == kBool ? kBool : kU32, "when");
  if (!recorder_->ok()) return;
  when_ = node;
  if (body) body();
  when_ = kNone;
}

void SequenceBuilder::repeat_until(const Array& flag, std::uint32_t limit, const Body& body,
                                   Location at) {
  if (def_->repeat) recorder_->fail(at, "a sequence has one repeat_until; build another sequence");
  const std::uint32_t buffer = recorder_->buffer_of(flag, at);
  if (!recorder_->ok()) return;
  def_->repeat = Repeat{.until = buffer, .limit = limit};
  const auto first = static_cast<std::uint32_t>(def_->steps.size());
  if (body) body();
  def_->repeat->first = first;
  def_->repeat->last = static_cast<std::uint32_t>(def_->steps.size());
}

Expected<Sequence> build_sequence(std::string_view name,
                                  const std::function<void(SequenceBuilder&)>& body) {
  const auto recorder = std::make_shared<Recorder>(name, "sequence");
  SequenceDef def;
  def.name = name;
  SequenceBuilder builder(recorder, &def);
  if (body) body(builder);
  recorder->close();
  if (recorder->error()) return std::unexpected(*recorder->error());
  write_sizes(recorder->draft(), def);
  return Sequence::make(std::move(def));
}

}  // namespace vyre::ir
