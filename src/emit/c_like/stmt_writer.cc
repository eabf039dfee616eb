#include "emit/c_like/stmt_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/c_like/dialect.h"
#include "emit/c_like/unrolling.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::emit {

using ir::ExprId;
using ir::kNone;
using ir::Op;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

void StmtWriter::block(const ir::Block& block) {
  for (const StmtId id : block) {
    stmt(id);
    // Statements behind a return in its own block never run.
    if (program_.stmts[id].kind == StmtKind::return_) return;
  }
}

void StmtWriter::stmt(StmtId id) {
  const Stmt& s = program_.stmts[id];
  switch (s.kind) {
    case StmtKind::let:
      return introduce(s.variable, exprs_.plain(s.args[0]));
    case StmtKind::assign:
      return lines_.line(fmt::format("{} = {};",
                                     emission_.names.of(program_.variables[s.variable].name),
                                     exprs_.plain(s.args[0])));
    case StmtKind::store:
      return store(id);
    case StmtKind::if_:
      return if_(s);
    case StmtKind::for_:
      return for_(id);
    case StmtKind::while_:
      return while_(s);
    case StmtKind::return_:
      return lines_.line("return;");
    case StmtKind::barrier:
      return lines_.line(dialect_.barrier);
    case StmtKind::atomic:
      return atomic(id);
    case StmtKind::region:
      lines_.line("// " + s.name);
      lines_.open("");
      block(s.body);
      return lines_.close();
  }
}

void StmtWriter::introduce(std::uint32_t variable, const std::string& value) {
  const ir::Variable& v = program_.variables[variable];
  lines_.line(fmt::format("{}{} {} = {};", v.is_mutable ? "" : dialect_.constant,
                          type_name(dialect_, v.type), emission_.names.of(v.name), value));
}

void StmtWriter::store(StmtId id) {
  const Stmt& s = program_.stmts[id];
  const std::string& name = emission_.names.of(program_.buffers[s.buffer].name);
  const ir::Type type = program_.exprs[s.args[1]].type;
  const std::string value = exprs_.plain(s.args[1]);
  if (!emission_.proofs.inside_stmt[id]) {
    lines_.line(fmt::format("{}({}, {});", emission_.prelude.store(exprs_.target(s.buffer), type),
                            exprs_.guarded(s.buffer, s.args[0]), value));
  } else if (type.width == 1) {
    lines_.line(fmt::format("{}[{}] = {};", name, exprs_.index(s.args[0]), value));
  } else if (dialect_.functions_per_buffer) {
    lines_.line(fmt::format("{}({}, {});",
                            emission_.prelude.store_inside(exprs_.target(s.buffer), type),
                            exprs_.index(s.args[0]), value));
  } else {
    const Text operands[] = {{exprs_.index(s.args[0])}, {name}, {value}};
    const Text call = spell(dialect_.store_vector, operands, type_names(dialect_, type));
    lines_.line(call.text + ";");
  }
}

void StmtWriter::if_(const Stmt& s) {
  lines_.open(fmt::format("if ({})", exprs_.plain(s.args[0])));
  branches(s);
  lines_.close();
}

// The bodies, up to the last closing brace. An `if` alone in the other branch continues the chain.
void StmtWriter::branches(const Stmt& s) {
  branch(s.body);
  if (s.otherwise.empty()) return;
  const Stmt& first = program_.stmts[s.otherwise[0]];
  if (s.otherwise.size() == 1 && first.kind == StmtKind::if_) {
    lines_.reopen(fmt::format("else if ({})", exprs_.plain(first.args[0])));
    return branches(first);
  }
  lines_.reopen("else");
  branch(s.otherwise);
}

// A dialect may want a barrier at the end of a branch that has one inside. All invocations run such
// a branch together (V070), so one more barrier is allowed.
void StmtWriter::branch(const ir::Block& body) {
  block(body);
  if (dialect_.branch_end_barrier.empty()) return;
  const auto is = [&](StmtKind kind) {
    return [this, kind](StmtId id) { return program_.stmts[id].kind == kind; };
  };
  if (!has_barrier(body) || is(StmtKind::barrier)(body.back())) return;
  if (std::ranges::any_of(body, is(StmtKind::return_))) return;
  lines_.line(dialect_.branch_end_barrier);
}

bool StmtWriter::has_barrier(const ir::Block& block) const {
  return std::ranges::any_of(block, [&](StmtId id) {
    const Stmt& s = program_.stmts[id];
    return s.kind == StmtKind::barrier || has_barrier(s.body) || has_barrier(s.otherwise);
  });
}

// The expression itself if it cannot change while the loop runs, else the name of a copy that is
// declared with the loop.
std::string StmtWriter::fixed(ExprId id, const std::string& name, std::string& declared) {
  const ir::Expr& e = program_.exprs[id];
  const bool is_let = e.op == Op::variable && !program_.variables[e.index].is_mutable;
  if (is_let || e.op == Op::constant || e.op == Op::symbol || e.op == Op::length) {
    return exprs_.plain(id);
  }
  declared += fmt::format(", {} = {}", name, exprs_.plain(id));
  return name;
}

void StmtWriter::for_(StmtId id) {
  if (!emission_.proofs.counts_up[id]) return counted_for(program_.stmts[id]);
  const Stmt& s = program_.stmts[id];
  const ir::Variable& v = program_.variables[s.variable];
  const std::string& name = emission_.names.of(v.name);
  std::string declared =
      fmt::format("{} {} = {}", type_name(dialect_, v.type), name, exprs_.plain(s.args[0]));
  const std::string end = fixed(s.args[1], emission_.names.derived(v.name, "end"), declared);
  const std::string step = fixed(s.args[2], emission_.names.derived(v.name, "step"), declared);
  const bool by_one = ir::fold(program_, s.args[2], emission_.symbols) == 1;
  const bool sums = dialect_.wide_count_by_sum && ir::byte_size(v.type.scalar) == 8;
  const std::string next = by_one && !sums ? "++" + name : fmt::format("{} += {}", name, step);
  unroll(s);
  lines_.open(fmt::format("for ({}; {} < {}; {})", declared, name, end, next));
  block(s.body);
  lines_.close();
}

// "+= step", in the unsigned type: there wrapping is defined.
std::string StmtWriter::stepped(ir::Type type, const std::string& name, const std::string& step) {
  const std::string own = type_name(dialect_, type);
  const std::string unsigned_type = unsigned_name(dialect_, type.scalar);
  if (own == unsigned_type) return "+= " + step;
  const Text both[] = {cast_to(dialect_, unsigned_type, {name}),
                       cast_to(dialect_, unsigned_type, {step, Binding::choice})};
  return "= " + cast_to(dialect_, own, spell("($0 + $1)", both)).text;
}

// A loop whose variable may wrap: it counts the turns that are left instead of looking at the
// variable.
void StmtWriter::counted_for(const Stmt& s) {
  const ir::Variable& v = program_.variables[s.variable];
  const std::string& name = emission_.names.of(v.name);
  const std::string& left = emission_.names.derived(v.name, "left");
  const std::string type = type_name(dialect_, v.type);
  const std::string unsigned_type = unsigned_name(dialect_, v.type.scalar);
  std::string declared = fmt::format("{} {} = {}", type, name, exprs_.plain(s.args[0]));
  const std::string step = fixed(s.args[2], emission_.names.derived(v.name, "step"), declared);
  const std::string next = fmt::format("{} {}", name, stepped(v.type, name, step));
  lines_.open("");
  lines_.line(declared + ";");
  unroll(s);
  const bool sums = dialect_.wide_count_by_sum && ir::byte_size(v.type.scalar) == 8;
  lines_.open(fmt::format("for ({} {} = {}({}, {}, {}); {} != 0; {}, {})", unsigned_type, left,
                          emission_.prelude.trip_count(v.type.scalar), name,
                          exprs_.plain(s.args[1]), step, left, sums ? left + " -= 1u" : "--" + left,
                          next));
  block(s.body);
  lines_.close();
  lines_.close();
}

void StmtWriter::unroll(const Stmt& s) {
  const auto count = unroll_hint(program_, s, emission_.symbols);
  if (!count) return;
  const auto turns = known_turns(program_, s, emission_.symbols);
  const bool whole = turns && *turns <= *count && !dialect_.unroll_whole.empty();
  const Text hint[] = {{std::to_string(*count)}};
  lines_.line(spell(whole ? dialect_.unroll_whole : dialect_.unroll, hint).text);
}

void StmtWriter::while_(const Stmt& s) {
  const std::string& turn = emission_.names.derived("while", "turn");
  std::string declared = fmt::format("{} {} = 0", type_name(dialect_, ir::kU32), turn);
  const std::string limit = fixed(s.args[1], emission_.names.derived("while", "limit"), declared);
  lines_.open(fmt::format("for ({}; {} < {} && {}; ++{})", declared, turn, limit,
                          operand(exprs_.text(s.args[0]), Binding::equality), turn));
  block(s.body);
  lines_.close();
}

// These two are the beginning of a call, up to the values.
std::string StmtWriter::plain_atomic(const Stmt& s) {
  const Text operands[] = {{emission_.names.of(program_.buffers[s.buffer].name)},
                           {exprs_.index(s.args[0])}};
  return fmt::format("{}({}", dialect_.atomics[static_cast<std::size_t>(s.atomic)],
                     spell(dialect_.element_to_update, operands).text);
}

std::string StmtWriter::guarded_atomic(const Stmt& s) {
  const ir::Scalar element = program_.buffers[s.buffer].element;
  return fmt::format("{}({}", emission_.prelude.atomic(exprs_.target(s.buffer), s.atomic, element),
                     exprs_.guarded(s.buffer, s.args[0]));
}

void StmtWriter::atomic(StmtId id) {
  const Stmt& s = program_.stmts[id];
  std::string call = emission_.proofs.inside_stmt[id] ? plain_atomic(s) : guarded_atomic(s);
  if (s.args[2] != kNone) call += ", " + exprs_.plain(s.args[2]);
  call += ", " + exprs_.plain(s.args[1]) + ")";
  if (s.variable == kNone) return lines_.line(call + ";");
  introduce(s.variable, call);
}

}  // namespace vyre::emit
