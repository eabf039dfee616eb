#include "ir/rewrite/program_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "ir/names.h"
#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::ir {
namespace {

// Leaves room for a number behind a name.
constexpr std::size_t kLongestWish = Limits::kNameBytes - 12;

Stmt plain_stmt(StmtKind kind) {
  Stmt out;
  out.kind = kind;
  return out;
}

// Calls `see` with every place that refers to an expression from outside of the expressions.
template <class F>
void each_root(Program& program, F see) {
  for (Buffer& b : program.buffers) see(b.length);
  for (ExprId& size : program.workgroup) see(size);
  for (ExprId& size : program.grid) see(size);
  for (Stmt& s : program.stmts) {
    for (ExprId& operand : s.args) see(operand);
    see(s.unroll);
  }
}

// Children have lower ids than their parents, so one pass from the top finds what is used, and one
// from the bottom moves it together.
void keep_used_exprs(Program& program) {
  std::vector<bool> used(program.exprs.size(), false);
  each_root(program, [&](ExprId id) {
    if (id != kNone) used[id] = true;
  });
  for (std::size_t k = used.size(); k-- > 0;) {
    if (!used[k]) continue;
    for (const ExprId operand : operands(program.exprs[k])) used[operand] = true;
  }
  std::vector<ExprId> moved(used.size(), kNone);
  std::vector<Expr> kept;
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (!used[k]) continue;
    Expr e = program.exprs[k];
    for (ExprId& operand : e.args) operand = operand == kNone ? kNone : moved[operand];
    moved[k] = static_cast<ExprId>(kept.size());
    kept.push_back(e);
  }
  program.exprs = std::move(kept);
  each_root(program, [&](ExprId& id) { id = id == kNone ? kNone : moved[id]; });
}

}  // namespace

ProgramWriter::ProgramWriter(std::string name) : blocks_(1) { program_.name = std::move(name); }

std::uint32_t ProgramWriter::symbol(const Symbol& symbol) {
  const auto it = std::ranges::find(program_.symbols, symbol.name, &Symbol::name);
  const auto index = static_cast<std::uint32_t>(it - program_.symbols.begin());
  if (it != program_.symbols.end()) return index;
  program_.symbols.push_back(symbol);
  reserve(symbol.name);
  return index;
}

std::uint32_t ProgramWriter::buffer(const Buffer& like, ExprId length) {
  program_.buffers.push_back(like);
  program_.buffers.back().length = length;
  reserve(like.name);
  return static_cast<std::uint32_t>(program_.buffers.size() - 1);
}

std::uint32_t ProgramWriter::find_buffer(std::string_view name) const {
  const auto it = std::ranges::find(program_.buffers, name, &Buffer::name);
  return it == program_.buffers.end() ? kNone
                                      : static_cast<std::uint32_t>(it - program_.buffers.begin());
}

std::uint32_t ProgramWriter::variable(std::string_view wish, Type type, bool is_mutable) {
  program_.variables.push_back({free_name(wish), type, is_mutable});
  return static_cast<std::uint32_t>(program_.variables.size() - 1);
}

std::string ProgramWriter::free_name(std::string_view wish) {
  const std::string_view base = wish.substr(0, kLongestWish);
  std::string name(base);
  for (std::uint32_t k = 2; is_reserved(name) || names_.contains(name); ++k) {
    name = fmt::format("{}_{}", base, k);
  }
  names_.insert(name);
  return name;
}

ExprId ProgramWriter::expr(const Expr& expr) {
  program_.exprs.push_back(expr);
  return static_cast<ExprId>(program_.exprs.size() - 1);
}

ExprId ProgramWriter::constant(Scalar type, std::uint64_t bits) {
  Expr e;
  e.type = {type, 1};
  e.bits = bits;
  return expr(e);
}

ExprId ProgramWriter::zero(Type type) {
  if (type.width == 1) return constant(type.scalar, 0);
  Expr e;
  e.op = Op::vector;
  e.type = type;
  for (std::uint8_t k = 0; k < type.width; ++k) e.args[k] = constant(type.scalar, 0);
  return expr(e);
}

ExprId ProgramWriter::symbol_value(std::uint32_t symbol) {
  Expr e;
  e.op = Op::symbol;
  e.type = {program_.symbols[symbol].type, 1};
  e.index = symbol;
  return expr(e);
}

ExprId ProgramWriter::variable_value(std::uint32_t variable) {
  Expr e;
  e.op = Op::variable;
  e.type = program_.variables[variable].type;
  e.index = variable;
  return expr(e);
}

ExprId ProgramWriter::id(IdKind kind, std::uint32_t axis) {
  Expr e;
  e.op = Op::id;
  e.index = id_index(kind, axis);
  return expr(e);
}

ExprId ProgramWriter::length(std::uint32_t buffer) {
  Expr e;
  e.op = Op::length;
  e.index = buffer;
  return expr(e);
}

ExprId ProgramWriter::load(std::uint32_t buffer, ExprId index, std::uint8_t width) {
  Expr e;
  e.op = Op::load;
  e.type = {program_.buffers[buffer].element, width};
  e.index = buffer;
  e.args[0] = index;
  return expr(e);
}

ExprId ProgramWriter::op(Op op, std::initializer_list<ExprId> operands) {
  Expr e;
  e.op = op;
  std::vector<Type> types;
  for (const ExprId operand : operands) {
    e.args[types.size()] = operand;
    types.push_back(type_of(operand));
  }
  const auto type = result_type(op, types);
  VYRE_CHECK(type.has_value());
  e.type = *type;
  return expr(e);
}

ExprId ProgramWriter::cast(Scalar type, ExprId value) {
  if (type_of(value).scalar == type) return value;
  Expr e;
  e.op = Op::cast;
  e.type = {type, 1};
  e.args[0] = value;
  return expr(e);
}

ExprId ProgramWriter::extract(ExprId vector, std::uint32_t element) {
  Expr e;
  e.op = Op::extract;
  e.type = {type_of(vector).scalar, 1};
  e.index = element;
  e.args[0] = vector;
  return expr(e);
}

ExprId ProgramWriter::copy(ExprId id) {
  if (id == kNone) return kNone;
  Expr e = program_.exprs[id];
  for (std::uint32_t k = 0; k < operand_count(e); ++k) e.args[k] = copy(e.args[k]);
  return expr(e);
}

StmtId ProgramWriter::stmt(Stmt stmt) {
  program_.stmts.push_back(std::move(stmt));
  const auto id = static_cast<StmtId>(program_.stmts.size() - 1);
  blocks_.back().push_back(id);
  return id;
}

std::uint32_t ProgramWriter::let(std::string_view wish, ExprId value) {
  Stmt out = plain_stmt(StmtKind::let);
  out.variable = variable(wish, type_of(value), false);
  out.args[0] = value;
  return program_.stmts[stmt(std::move(out))].variable;
}

std::uint32_t ProgramWriter::var(std::string_view wish, ExprId value) {
  const std::uint32_t variable = let(wish, value);
  program_.variables[variable].is_mutable = true;
  return variable;
}

void ProgramWriter::assign(std::uint32_t variable, ExprId value) {
  Stmt out = plain_stmt(StmtKind::assign);
  out.variable = variable;
  out.args[0] = value;
  stmt(std::move(out));
}

void ProgramWriter::store(std::uint32_t buffer, ExprId index, ExprId value) {
  Stmt out = plain_stmt(StmtKind::store);
  out.buffer = buffer;
  out.args = {index, value, kNone};
  stmt(std::move(out));
}

void ProgramWriter::open() {
  blocks_.emplace_back();
  open_.push_back(++opened_);
}

bool ProgramWriter::is_open(std::uint32_t block) const {
  return std::ranges::find(open_, block) != open_.end();
}

Block ProgramWriter::close() {
  VYRE_CHECK(blocks_.size() > 1);
  Block out = std::move(blocks_.back());
  blocks_.pop_back();
  open_.pop_back();
  return out;
}

void ProgramWriter::close_if(ExprId condition) {
  Stmt out = plain_stmt(StmtKind::if_);
  out.args[0] = condition;
  out.body = close();
  stmt(std::move(out));
}

std::uint32_t ProgramWriter::nodes() const {
  return static_cast<std::uint32_t>(program_.exprs.size() + program_.stmts.size());
}

Program ProgramWriter::finish() && {
  VYRE_CHECK(blocks_.size() == 1);
  program_.body = std::move(blocks_[0]);
  keep_used_exprs(program_);
  return std::move(program_);
}

}  // namespace vyre::ir
