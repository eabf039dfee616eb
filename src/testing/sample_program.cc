#include "testing/sample_program.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "ir/ops.h"

namespace vyre::testing {
namespace {

using ir::ExprId;
using ir::IdKind;
using ir::kNone;
using ir::kU32;
using ir::Op;
using ir::Scalar;
using ir::StmtId;
using ir::StmtKind;
using ir::Type;

constexpr Type kF32{Scalar::f32, 1};

bool compares(ir::Rule rule) {
  return rule == ir::Rule::equality || rule == ir::Rule::order || rule == ir::Rule::classify;
}

void declare(ir::Program& p, NodeMaker& make) {
  p.name = "sample";
  p.symbols = {{"n", ir::SymbolKind::shape, Scalar::u32, 0},
               {"a", ir::SymbolKind::scalar, Scalar::f32, 0},
               {"t", ir::SymbolKind::tunable, Scalar::u32, 8}};
  p.buffers = {{"x", Scalar::f32, ir::Access::read, make.symbol(Sample::n)},
               {"y", Scalar::f32, ir::Access::read_write, make.symbol(Sample::n)},
               {"count", Scalar::u32, ir::Access::write, make.u32(4)},
               {"tile", Scalar::f32, ir::Access::local, make.symbol(Sample::t)},
               {"acc", Scalar::f32, ir::Access::private_, make.u32(4)}};
  p.workgroup = {make.symbol(Sample::t), make.u32(2), kNone};
  p.grid[0] = make.op(Op::div, {make.length(Sample::x), make.symbol(Sample::t)});
}

StmtId for_loop(NodeMaker& make, StmtId body) {
  ir::Stmt loop;
  loop.kind = StmtKind::for_;
  loop.variable = Sample::k;
  loop.args = {make.u32(0), make.u32(4), make.u32(2)};
  loop.unroll = make.symbol(Sample::t);
  loop.body = {body};
  return make.stmt(loop);
}

StmtId atomic(NodeMaker& make, ir::AtomicOp op, std::uint32_t variable,
              std::array<ExprId, 3> args) {
  ir::Stmt stmt;
  stmt.kind = StmtKind::atomic;
  stmt.atomic = op;
  stmt.variable = variable;
  stmt.buffer = Sample::count;
  stmt.args = args;
  return make.stmt(stmt);
}

void add_loops(Sample& s, NodeMaker& make) {
  s.program.variables.push_back({"k", kU32, false});
  const ExprId index = make.variable(Sample::k);
  const ExprId sum = make.op(Op::add, {make.variable(Sample::s), make.load(Sample::acc, index)});
  s.add_acc = make.assign(Sample::s, sum);
  s.loop = for_loop(make, s.add_acc);
  const StmtId step =
      make.assign(Sample::s, make.op(Op::add, {make.variable(Sample::s), make.f32(1)}));
  const ExprId below = make.op(Op::lt, {make.variable(Sample::s), make.symbol(Sample::a)});
  s.while_loop = make.while_({below, make.u32(10)}, {step});
}

void add_atomics(Sample& s, NodeMaker& make) {
  s.program.variables.push_back({"old", kU32, false});
  s.count_up = atomic(make, ir::AtomicOp::add, Sample::old, {make.u32(0), make.u32(1), kNone});
  s.compare =
      atomic(make, ir::AtomicOp::compare_exchange, kNone, {make.u32(1), make.u32(2), make.u32(3)});
}

void add_end(Sample& s, NodeMaker& make) {
  s.let_v = make.let("v", {Scalar::f32, 4}, make.load(Sample::x, make.u32(0), 4));
  ir::Expr extract;
  extract.op = Op::extract;
  extract.type = kF32;
  extract.index = 1;
  extract.args[0] = make.variable(Sample::v);
  s.store_end = make.store(Sample::y, {make.u32(1), make.expr(extract)});
  ir::Stmt region;
  region.kind = StmtKind::region;
  region.name = "end";
  region.body = {s.store_end};
  s.region = make.stmt(region);
}

}  // namespace

ExprId NodeMaker::expr(ir::Expr expr) {
  program_.exprs.push_back(expr);
  return static_cast<ExprId>(program_.exprs.size() - 1);
}

ExprId NodeMaker::u32(std::uint32_t value) {
  return expr({.op = Op::constant, .type = kU32, .bits = value});
}
ExprId NodeMaker::i32(std::int32_t value) {
  return expr(
      {.op = Op::constant, .type = {Scalar::i32, 1}, .bits = static_cast<std::uint32_t>(value)});
}
ExprId NodeMaker::f32(float value) {
  return expr({.op = Op::constant, .type = kF32, .bits = std::bit_cast<std::uint32_t>(value)});
}
ExprId NodeMaker::symbol(std::uint32_t index) {
  const Type type{program_.symbols[index].type, 1};
  return expr({.op = Op::symbol, .type = type, .index = index});
}
ExprId NodeMaker::variable(std::uint32_t index) {
  return expr({.op = Op::variable, .type = program_.variables[index].type, .index = index});
}
ExprId NodeMaker::id(IdKind kind, std::uint32_t axis) {
  return expr({.op = Op::id, .type = kU32, .index = ir::id_index(kind, axis)});
}
ExprId NodeMaker::length(std::uint32_t buffer) {
  return expr({.op = Op::length, .type = kU32, .index = buffer});
}
ExprId NodeMaker::load(std::uint32_t buffer, ExprId index, std::uint8_t width) {
  return expr({.op = Op::load,
               .type = {program_.buffers[buffer].element, width},
               .index = buffer,
               .args = {index, kNone, kNone, kNone}});
}
ExprId NodeMaker::op(Op op, std::initializer_list<ExprId> operands) {
  const bool is_bool = ir::in_table(op) && compares(ir::info(op).rule);
  ir::Expr out;
  out.op = op;
  out.type = is_bool ? Type{Scalar::boolean, 1} : program_.exprs[*operands.begin()].type;
  std::ranges::copy(operands, out.args.begin());
  return expr(out);
}

StmtId NodeMaker::stmt(ir::Stmt stmt) {
  program_.stmts.push_back(std::move(stmt));
  return static_cast<StmtId>(program_.stmts.size() - 1);
}
StmtId NodeMaker::let(std::string name, Type type, ExprId value, bool is_mutable) {
  program_.variables.push_back({std::move(name), type, is_mutable});
  ir::Stmt out;
  out.kind = StmtKind::let;
  out.variable = static_cast<std::uint32_t>(program_.variables.size() - 1);
  out.args[0] = value;
  return stmt(out);
}
StmtId NodeMaker::assign(std::uint32_t variable, ExprId value) {
  ir::Stmt out;
  out.kind = StmtKind::assign;
  out.variable = variable;
  out.args[0] = value;
  return stmt(out);
}
StmtId NodeMaker::store(std::uint32_t buffer, std::array<ExprId, 2> index_and_value) {
  ir::Stmt out;
  out.kind = StmtKind::store;
  out.buffer = buffer;
  out.args = {index_and_value[0], index_and_value[1], kNone};
  return stmt(out);
}
StmtId NodeMaker::if_(ExprId condition, ir::Block body, ir::Block otherwise) {
  ir::Stmt out;
  out.kind = StmtKind::if_;
  out.args[0] = condition;
  out.body = std::move(body);
  out.otherwise = std::move(otherwise);
  return stmt(out);
}
StmtId NodeMaker::while_(std::array<ExprId, 2> condition_and_limit, ir::Block body) {
  ir::Stmt out;
  out.kind = StmtKind::while_;
  out.args = {condition_and_limit[0], condition_and_limit[1], kNone};
  out.body = std::move(body);
  return stmt(out);
}
StmtId NodeMaker::barrier() { return stmt({}); }
StmtId NodeMaker::return_() {
  ir::Stmt out;
  out.kind = StmtKind::return_;
  return stmt(out);
}

Sample sample() {
  Sample s;
  ir::Program& p = s.program;
  NodeMaker make(p);
  declare(p, make);
  s.let_i = make.let("i", kU32, make.id(IdKind::global_id, 0));
  s.let_s = make.let("s", kF32, make.f32(0), true);
  const ExprId lane = make.id(IdKind::local_id, 0);
  const ExprId at_i = make.variable(Sample::i);
  s.store_tile = make.store(Sample::tile, {lane, make.load(Sample::x, at_i)});
  s.barrier = make.barrier();
  add_loops(s, make);
  s.store_y = make.store(Sample::y, {make.variable(Sample::i), make.variable(Sample::s)});
  s.leave = make.return_();
  s.branch = make.if_(make.op(Op::lt, {make.variable(Sample::i), make.symbol(Sample::n)}),
                      {s.store_y}, {s.leave});
  add_atomics(s, make);
  add_end(s, make);
  p.body = {s.let_i,  s.let_s,    s.store_tile, s.barrier, s.loop,  s.while_loop,
            s.branch, s.count_up, s.compare,    s.let_v,   s.region};
  return s;
}

ir::SequenceDef sample_sequence() {
  ir::Program own;  // only to make nodes with
  NodeMaker make(own);
  own.symbols = {{"m", ir::SymbolKind::shape, Scalar::u32, 0},
                 {"b", ir::SymbolKind::scalar, Scalar::f32, 0}};
  own.buffers = {{"input", Scalar::f32, ir::Access::read, make.symbol(0)},
                 {"output", Scalar::f32, ir::Access::read_write, make.symbol(0)},
                 {"counters", Scalar::u32, ir::Access::private_, make.u32(4)}};

  ir::Program finish;
  NodeMaker inner(finish);
  finish.name = "finish";
  finish.symbols = {{"n", ir::SymbolKind::shape, Scalar::u32, 0},
                    {"t", ir::SymbolKind::tunable, Scalar::u32, 8}};
  finish.buffers = {{"from", Scalar::u32, ir::Access::read, inner.u32(4)},
                    {"to", Scalar::f32, ir::Access::read_write, inner.symbol(0)}};
  finish.body = {inner.store(1, {inner.u32(0), inner.f32(1)})};

  ir::SequenceDef out;
  out.name = "chain";
  out.steps = {{0, {0, 1, 2}, {make.symbol(0), make.symbol(1)}}, {1, {2, 1}, {kNone}}};
  out.symbols = own.symbols;
  out.buffers = own.buffers;
  out.exprs = own.exprs;
  out.programs = {sample().program, finish};
  out.repeat = ir::Repeat{0, 2, 2, 5};
  return out;
}

}  // namespace vyre::testing
