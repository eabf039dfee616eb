#include "ir/text/stmt_parser.h"

#include <algorithm>

#include "base/text.h"
#include "ir/names.h"
#include "ir/ops.h"
#include "ir/text/type_names.h"

namespace vyre::ir {
namespace {

constexpr std::string_view kAtomic = "atomic_";

constexpr std::array kAtomics = {AtomicOp::add, AtomicOp::min, AtomicOp::max, AtomicOp::exchange,
                                 AtomicOp::compare_exchange};

std::vector<std::string> atomic_names() {
  std::vector<std::string> names;
  for (const AtomicOp op : kAtomics)
    names.push_back(std::string(kAtomic) + std::string(name_of(op)));
  return names;
}

bool is_atomic_call(const TokenStream& tokens) {
  return tokens.peek().kind == TokenKind::word && tokens.peek().text.starts_with(kAtomic) &&
         tokens.following().is("(");
}

Stmt stmt_of(StmtKind kind) {
  Stmt stmt;
  stmt.kind = kind;
  return stmt;
}

}  // namespace

Expected<Block> StmtParser::statements() {
  Block block;
  while (!tokens_.peek().is("}")) {
    VYRE_TRY(const StmtId id, statement());
    block.push_back(id);
  }
  return block;
}

Expected<Block> StmtParser::block() {
  VYRE_TRY_VOID(tokens_.expect("{"));
  const std::size_t mark = scope_.mark();
  VYRE_TRY(Block inner, statements());
  scope_.forget_since(mark);
  VYRE_TRY_VOID(tokens_.expect("}"));
  return inner;
}

Expected<StmtId> StmtParser::statement() {
  const Token at = tokens_.peek();
  if (depth_ >= Limits::kStmtDepth) {
    return error_at(at, "statements nest deeper than {} levels", Limits::kStmtDepth);
  }
  ++depth_;
  VYRE_TRY(Stmt stmt, any());
  --depth_;
  return add(std::move(stmt), at);
}

Expected<Stmt> StmtParser::any() {
  const Token& token = tokens_.peek();
  if (token.kind != TokenKind::word) return no_statement();
  if (token.text == "if") return if_();
  if (token.text == "for") return for_();
  if (token.text == "while") return while_();
  if (token.text == "region") return region();
  if (tokens_.take_if("let")) return let(false);
  if (tokens_.take_if("var")) return let(true);
  if (tokens_.take_if("return")) return stmt_of(StmtKind::return_);
  if (tokens_.take_if("barrier")) return stmt_of(StmtKind::barrier);
  if (is_reserved(token.text)) return no_statement();
  const Token& next = tokens_.following();
  if (next.is("(")) return atomic();
  if (next.is("=")) return assign();
  if (next.is("[") || next.is(".")) return store();
  return no_statement();
}

std::unexpected<Error> StmtParser::no_statement() const {
  constexpr std::array<std::string_view, 11> kDeclaring{
      "shape", "scalar",  "tunable",   "read", "read_write", "write",
      "local", "private", "workgroup", "grid", "source"};
  const Token& token = tokens_.peek();
  if (token.kind == TokenKind::word &&
      std::ranges::find(kDeclaring, token.text) != kDeclaring.end()) {
    return error_at(token, "'{}' must come before the first statement", token.text);
  }
  return tokens_.expected("a statement or '}'");
}

Expected<Variable> StmtParser::variable_and_type() {
  Variable variable;
  VYRE_TRY(variable.name, tokens_.expect_name("the name of a variable"));
  VYRE_TRY_VOID(tokens_.expect(":"));
  const Token at = tokens_.peek();
  const auto type = at.kind == TokenKind::word ? find_type(at.text) : std::nullopt;
  if (!type) return tokens_.expected("a type such as u32 or f32x4");
  tokens_.take();
  variable.type = *type;
  return variable;
}

std::uint32_t StmtParser::declare(Variable variable) {
  const auto index = static_cast<std::uint32_t>(program_.variables.size());
  scope_.declare(variable.name, {NamedKind::variable, index, variable.type});
  program_.variables.push_back(std::move(variable));
  return index;
}

// The variable is visible only after its initial value.
Expected<Stmt> StmtParser::let(bool is_mutable) {
  VYRE_TRY(Variable variable, variable_and_type());
  variable.is_mutable = is_mutable;
  VYRE_TRY_VOID(tokens_.expect("="));
  Stmt stmt = stmt_of(StmtKind::let);
  if (is_atomic_call(tokens_)) {
    VYRE_TRY(stmt, atomic());
  } else {
    VYRE_TRY(stmt.args[0], exprs_.parse());
  }
  stmt.variable = declare(std::move(variable));
  return stmt;
}

Expected<Stmt> StmtParser::assign() {
  const Token at = tokens_.take();
  const Named* found = scope_.find(at.text);
  if (found == nullptr) {
    return error_at(at, "unknown variable {}{}", quote(at.text),
                    did_you_mean(at.text, scope_.visible(NamedKind::variable)));
  }
  if (found->kind != NamedKind::variable) {
    return error_at(at, "{} is not a variable", quote(at.text));
  }
  Stmt stmt = stmt_of(StmtKind::assign);
  stmt.variable = found->index;
  VYRE_TRY_VOID(tokens_.expect("="));
  VYRE_TRY(stmt.args[0], exprs_.parse());
  return stmt;
}

Expected<Stmt> StmtParser::store() {
  const Token at = tokens_.peek();
  VYRE_TRY(const Named target, exprs_.buffer());
  VYRE_TRY(const std::uint8_t width, exprs_.width());
  Stmt stmt = stmt_of(StmtKind::store);
  stmt.buffer = target.index;
  VYRE_TRY(stmt.args[0], exprs_.index());
  VYRE_TRY_VOID(tokens_.expect("="));
  VYRE_TRY(stmt.args[1], exprs_.parse());
  const Type type = program_.exprs[stmt.args[1]].type;
  if (type.width != width) {
    return error_at(at, "a value of type {} is stored with {}", to_string(type),
                    is_vector(type) ? fmt::format("{}.x{}[...]", at.text, type.width)
                                    : fmt::format("{}[...]", at.text));
  }
  return stmt;
}

// `else if` is an `else` that holds one `if`, so it nests one level deeper.
Expected<Stmt> StmtParser::if_() {
  tokens_.take();
  Stmt stmt = stmt_of(StmtKind::if_);
  VYRE_TRY(stmt.args[0], exprs_.parse());
  VYRE_TRY(stmt.body, block());
  if (!tokens_.take_if("else")) return stmt;
  if (tokens_.peek().is("if")) {
    VYRE_TRY(const StmtId inner, statement());
    stmt.otherwise.push_back(inner);
  } else {
    VYRE_TRY(stmt.otherwise, block());
  }
  return stmt;
}

Expected<Stmt> StmtParser::for_() {
  tokens_.take();
  Stmt stmt = stmt_of(StmtKind::for_);
  VYRE_TRY(Variable variable, variable_and_type());
  const Type type = variable.type;
  VYRE_TRY_VOID(tokens_.expect("in"));
  VYRE_TRY(stmt.args[0], exprs_.parse());
  VYRE_TRY_VOID(tokens_.expect(".."));
  VYRE_TRY(stmt.args[1], exprs_.parse());
  VYRE_TRY(stmt.args[2], tokens_.take_if("step") ? exprs_.parse() : exprs_.constant(type, 1));
  if (tokens_.take_if("unroll")) {
    VYRE_TRY(stmt.unroll, exprs_.parse());
  }
  const std::size_t mark = scope_.mark();
  stmt.variable = declare(std::move(variable));
  VYRE_TRY(stmt.body, block());
  scope_.forget_since(mark);
  return stmt;
}

Expected<Stmt> StmtParser::while_() {
  tokens_.take();
  Stmt stmt = stmt_of(StmtKind::while_);
  VYRE_TRY(stmt.args[0], exprs_.parse());
  VYRE_TRY_VOID(tokens_.expect("limit"));
  VYRE_TRY(stmt.args[1], exprs_.parse());
  VYRE_TRY(stmt.body, block());
  return stmt;
}

Expected<Stmt> StmtParser::region() {
  tokens_.take();
  Stmt stmt = stmt_of(StmtKind::region);
  VYRE_TRY(stmt.name, tokens_.expect_string("the name of a region in quotes"));
  VYRE_TRY(stmt.body, block());
  return stmt;
}

// atomic_add(buffer, index, value); compare_exchange has the expected value before the new one.
Expected<Stmt> StmtParser::atomic() {
  const Token at = tokens_.take();
  Stmt stmt = stmt_of(StmtKind::atomic);
  const AtomicOp* found = std::ranges::find_if(kAtomics, [&](AtomicOp op) {
    return at.text == std::string(kAtomic) + std::string(name_of(op));
  });
  if (found == kAtomics.end()) {
    return error_at(at, "unknown statement {}{}", quote(at.text),
                    did_you_mean(at.text, atomic_names()));
  }
  stmt.atomic = *found;
  VYRE_TRY_VOID(tokens_.expect("("));
  VYRE_TRY(const Named target, exprs_.buffer());
  stmt.buffer = target.index;
  VYRE_TRY_VOID(tokens_.expect(","));
  VYRE_TRY(stmt.args[0], exprs_.parse());
  if (stmt.atomic == AtomicOp::compare_exchange) {
    VYRE_TRY_VOID(tokens_.expect(","));
    VYRE_TRY(stmt.args[2], exprs_.parse());
  }
  VYRE_TRY_VOID(tokens_.expect(","));
  VYRE_TRY(stmt.args[1], exprs_.parse());
  VYRE_TRY_VOID(tokens_.expect(")"));
  return stmt;
}

Expected<StmtId> StmtParser::add(Stmt stmt, const Token& at) {
  VYRE_TRY_VOID(budget_.spend(at));
  program_.stmts.push_back(std::move(stmt));
  return static_cast<StmtId>(program_.stmts.size() - 1);
}

}  // namespace vyre::ir
