#include <fmt/format.h>

#include <algorithm>

#include "space/parser.h"

namespace vyre::space::detail {

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
  ++at_;
  while (text && peek().kind == TokenKind::text) {  // "a" "b" is "ab"
    std::get<std::string>(node->value) += std::get<std::string>(peek().value);
    ++at_;
  }
  return finish(std::move(node));
}

Parsed<NodePtr> Parser::name_or_call() {
  const std::size_t begin = peek().where.offset;
  const std::string name(peek().spelling);
  ++at_;
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
  ++at_;
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

// What follows the first item: a comma may come last. Whether there was any comma.
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
  ++at_;
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

namespace {

void collect(const Node& node, std::vector<std::string>& hidden, std::vector<std::string>& out) {
  const bool known = std::ranges::find(hidden, node.name) != hidden.end() ||
                     std::ranges::find(out, node.name) != out.end();
  if (node.kind == NodeKind::name && !known) out.push_back(node.name);
  const std::size_t outer = hidden.size();
  for (const Clause& clause : node.clauses) {
    collect(*clause.iterable, hidden, out);
    hidden.push_back(clause.variable);
    for (const NodePtr& condition : clause.conditions) collect(*condition, hidden, out);
  }
  for (const NodePtr& child : node.children) collect(*child, hidden, out);
  hidden.resize(outer);
}

}  // namespace

void collect_names(const Node& node, std::vector<std::string>& out) {
  std::vector<std::string> hidden;
  collect(node, hidden, out);
}

}  // namespace vyre::space::detail
