#include "space/python/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "base/text.h"
#include "space/python/precedence.h"

namespace vyre::space::detail {
namespace {

constexpr std::size_t kDeepestTree = 1000;  // "a + a + a ..." is deep without being nested

}  // namespace

// Gives the node its extent up to the last token taken, and its depth.
Parsed<NodePtr> Parser::finish(NodePtr node) const {
  const Range last = previous().where;
  node->where.length = last.offset + last.length - node->where.offset;
  const auto deepen = [&](const Node& child) {
    node->depth = std::max(node->depth, child.depth + 1);
  };
  for (const NodePtr& child : node->children) deepen(*child);
  for (const Clause& clause : node->clauses) {
    deepen(*clause.iterable);
    for (const NodePtr& condition : clause.conditions) deepen(*condition);
  }
  if (node->depth > kDeepestTree) {
    return std::unexpected(Fault{"too many operators in a row", node->where});
  }
  return node;
}

Parsed<void> Parser::add(Node& node, Parsed<NodePtr> child) {
  if (!child) return std::unexpected(std::move(child).error());
  node.children.push_back(*std::move(child));
  return {};
}

// All of the text: one expression, or a tuple without parentheses.
Parsed<NodePtr> Parser::whole() {
  NodePtr tuple = make(NodeKind::tuple, peek().where.offset);
  VYRE_ADD(tuple, expression());
  const auto comma = more_items(*tuple, "");
  if (!comma) return std::unexpected(comma.error());
  if (peek().kind != TokenKind::end) return unexpected_token();
  if (!*comma) return std::move(tuple->children[0]);
  return finish(std::move(tuple));
}

Parsed<NodePtr> Parser::expression() {
  const std::size_t begin = peek().where.offset;
  if (nesting_ >= most_nesting_) return fault("nested too deeply");
  ++nesting_;
  auto value = joined("or", NodeKind::disjunction);
  if (value && take("if")) {
    NodePtr node = make(NodeKind::conditional, begin);
    VYRE_ADD(node, joined("or", NodeKind::disjunction));
    node->children.push_back(*std::move(value));
    if (auto found = expect("else"); !found) return std::unexpected(std::move(found).error());
    VYRE_ADD(node, expression());
    value = finish(std::move(node));
  }
  --nesting_;
  return value;
}

Parsed<NodePtr> Parser::joined(std::string_view word, NodeKind kind) {
  const bool outer = kind == NodeKind::disjunction;
  const std::size_t begin = peek().where.offset;
  auto first = outer ? joined("and", NodeKind::conjunction) : negation();
  if (!first || !at(word)) return first;
  NodePtr node = make(kind, begin);
  node->children.push_back(*std::move(first));
  while (take(word)) {
    VYRE_ADD(node, outer ? joined("and", NodeKind::conjunction) : negation());
  }
  return finish(std::move(node));
}

Parsed<NodePtr> Parser::negation() {
  const std::size_t begin = peek().where.offset;
  if (!take("not")) return comparison();
  if (nesting_ >= most_nesting_) return fault("nested too deeply");
  ++nesting_;
  NodePtr node = make(NodeKind::negation, begin);
  VYRE_ADD(node, negation());
  --nesting_;
  return finish(std::move(node));
}

std::optional<Operator> Parser::take_comparison() {
  for (const auto& [spelling, op] : kComparisons) {
    if (take(spelling)) return op;
  }
  const bool not_in = at("not") && following().spelling == "in";
  if (!not_in) return std::nullopt;
  take();
  take();
  return Operator::not_in;
}

Parsed<NodePtr> Parser::comparison() {
  const std::size_t begin = peek().where.offset;
  auto first = infix(1);
  if (!first) return first;
  NodePtr node = make(NodeKind::comparison, begin);
  node->children.push_back(*std::move(first));
  while (const auto op = take_comparison()) {
    node->operators.push_back(*op);
    VYRE_ADD(node, infix(1));
  }
  if (at("is")) return fault("\"is\" is not supported: compare with ==");
  if (node->operators.empty()) return std::move(node->children[0]);
  return finish(std::move(node));
}

Parsed<NodePtr> Parser::infix(int strength) {
  const std::size_t begin = peek().where.offset;
  auto left = prefix();
  while (left) {
    const auto* const found = std::ranges::find_if(kInfix, [&](const PythonInfix& candidate) {
      return candidate.strength >= strength && at(candidate.spelling);
    });
    if (found == kInfix.end()) break;
    take();
    NodePtr node = make(NodeKind::binary, begin);
    node->operators.push_back(found->op);
    node->children.push_back(*std::move(left));
    VYRE_ADD(node, infix(found->strength + 1));
    left = finish(std::move(node));
  }
  return left;
}

Parsed<NodePtr> Parser::prefix() {
  const std::size_t begin = peek().where.offset;
  const bool minus = at("-");
  if (!minus && !at("+") && !at("~")) return power();
  if (nesting_ >= most_nesting_) return fault("nested too deeply");
  const Operator op = minus ? Operator::negate : at("+") ? Operator::plus : Operator::invert;
  take();
  if (minus && peek().kind == TokenKind::too_big) {
    take();
    NodePtr least = make(NodeKind::constant, begin);
    least->value = std::numeric_limits<std::int64_t>::min();
    return finish(std::move(least));
  }
  ++nesting_;
  NodePtr node = make(NodeKind::unary, begin);
  node->operators.push_back(op);
  VYRE_ADD(node, prefix());
  --nesting_;
  return finish(std::move(node));
}

Parsed<NodePtr> Parser::power() {
  const std::size_t begin = peek().where.offset;
  auto base = atom();
  if (!base || !take("**")) return base;
  if (nesting_ >= most_nesting_) return fault("nested too deeply");
  ++nesting_;
  NodePtr node = make(NodeKind::binary, begin);
  node->operators.push_back(Operator::power);
  node->children.push_back(*std::move(base));
  VYRE_ADD(node, prefix());  // right to left, and the exponent may carry a sign
  --nesting_;
  return finish(std::move(node));
}

Parsed<NodePtr> Parser::atom() {
  switch (peek().kind) {
    case TokenKind::number:
    case TokenKind::text:
      return constant();
    case TokenKind::name:
      return name_or_call();
    default:
      break;
  }
  if (at("(")) return bracketed(")");
  if (at("[")) return bracketed("]");
  return unexpected_token();
}

Parsed<NodePtr> Parser::constant() {
  NodePtr node = make(NodeKind::constant, peek().where.offset);
  node->value = peek().value;
  const bool text = peek().kind == TokenKind::text;
  take();
  while (text && peek().kind == TokenKind::text) {  // "a" "b" is "ab"
    std::get<std::string>(node->value) += std::get<std::string>(peek().value);
    take();
  }
  return finish(std::move(node));
}

Parsed<NodePtr> Parser::name_or_call() {
  const std::size_t begin = peek().where.offset;
  const std::string name(peek().spelling);
  take();
  if (name == "True" || name == "False") {
    NodePtr node = make(NodeKind::constant, begin);
    node->value = name == "True";
    return finish(std::move(node));
  }
  NodePtr node = make(NodeKind::name, begin);
  node->name = name;
  if (!take("(")) return finish(std::move(node));
  node->kind = NodeKind::call;
  while (!take(")")) {
    const std::size_t argument = peek().where.offset;
    VYRE_ADD(node, expression());
    if (at("for")) {
      auto all = comprehension(std::move(node->children.back()), argument);
      if (!all) return all;
      node->children.back() = *std::move(all);
    }
    if (at(")")) continue;
    if (auto comma = expect(","); !comma) return std::unexpected(std::move(comma).error());
  }
  return finish(std::move(node));
}

// A parenthesis, a tuple, a list or a comprehension.
Parsed<NodePtr> Parser::bracketed(std::string_view closing) {
  const std::size_t begin = peek().where.offset;
  const bool square = closing == "]";
  NodePtr node = make(square ? NodeKind::list : NodeKind::tuple, begin);
  take();
  if (take(closing)) return finish(std::move(node));
  VYRE_ADD(node, expression());
  if (at("for")) {
    if (!square) return fault("a generator may only be a function's argument: use [...]");
    auto all = comprehension(std::move(node->children[0]), begin);
    if (!all) return all;
    if (auto end = expect(closing); !end) return std::unexpected(std::move(end).error());
    return finish(*std::move(all));
  }
  const auto comma = more_items(*node, closing);
  if (!comma) return std::unexpected(comma.error());
  if (auto end = expect(closing); !end) return std::unexpected(std::move(end).error());
  if (!square && !*comma) return std::move(node->children[0]);
  return finish(std::move(node));
}

// Reads the items after the first; a comma may come last. Returns whether there was any comma.
Parsed<bool> Parser::more_items(Node& node, std::string_view closing) {
  bool comma = false;
  while (take(",")) {
    comma = true;
    if (closing.empty() ? peek().kind == TokenKind::end : at(closing)) break;
    VYRE_ADD(&node, expression());
  }
  return comma;
}

Parsed<NodePtr> Parser::comprehension(NodePtr element, std::size_t begin) {
  NodePtr node = make(NodeKind::comprehension, begin);
  node->children.push_back(std::move(element));
  while (take("for")) {
    auto next = clause();
    if (!next) return std::unexpected(std::move(next).error());
    node->clauses.push_back(*std::move(next));
  }
  return finish(std::move(node));
}

Parsed<Clause> Parser::clause() {
  Clause clause;
  if (peek().kind != TokenKind::name) return fault("a variable's name is expected after \"for\"");
  clause.variable = peek().spelling;
  take();
  if (auto in = expect("in"); !in) return std::unexpected(std::move(in).error());
  auto iterable = joined("or", NodeKind::disjunction);
  if (!iterable) return std::unexpected(std::move(iterable).error());
  clause.iterable = *std::move(iterable);
  while (take("if")) {
    auto condition = joined("or", NodeKind::disjunction);
    if (!condition) return std::unexpected(std::move(condition).error());
    clause.conditions.push_back(*std::move(condition));
  }
  return clause;
}

Parsed<NodePtr> parse(std::string_view text, std::size_t most_nesting) {
  auto tokens = tokenize(text);
  if (!tokens) return std::unexpected(std::move(tokens).error());
  return Parser(*std::move(tokens), most_nesting).whole();
}

}  // namespace vyre::space::detail
