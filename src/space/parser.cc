#include "space/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "base/text.h"

namespace vyre::space::detail {
namespace {

constexpr std::size_t kDeepestTree = 1000;  // "a + a + a ..." is deep without being nested

struct Infix {
  std::string_view spelling;
  Operator op;
  int strength;
};

constexpr std::array<Infix, 11> kInfix = {{
    {"|", Operator::bit_or, 1},
    {"^", Operator::bit_xor, 2},
    {"&", Operator::bit_and, 3},
    {"<<", Operator::shift_left, 4},
    {">>", Operator::shift_right, 4},
    {"+", Operator::add, 5},
    {"-", Operator::subtract, 5},
    {"*", Operator::multiply, 6},
    {"/", Operator::divide, 6},
    {"//", Operator::floor_divide, 6},
    {"%", Operator::modulo, 6},
}};

constexpr std::array<std::pair<std::string_view, Operator>, 7> kComparisons = {{
    {"<", Operator::less},
    {"<=", Operator::less_equal},
    {">", Operator::greater},
    {">=", Operator::greater_equal},
    {"==", Operator::equal},
    {"!=", Operator::not_equal},
    {"in", Operator::in},
}};

}  // namespace

std::unexpected<Fault> Parser::unexpected_token() const {
  if (peek().kind == TokenKind::end) return fault("the expression ends too early");
  if (peek().kind == TokenKind::too_big) {
    return fault(fmt::format("{} does not fit into 64 bits", peek().spelling));
  }
  if (at("=")) return fault("= has no meaning here: compare with ==");
  if (at(".")) return fault("attributes and modules are not supported");
  if (at("[")) return fault("indexing is not supported");
  return fault(fmt::format("{} is not expected here", quote(peek().spelling)));
}

Parsed<void> Parser::expect(std::string_view symbol) {
  if (take(symbol)) return {};
  if (peek().kind == TokenKind::end) {
    return fault(fmt::format("the expression ends where {} is expected", quote(symbol)));
  }
  return unexpected_token();
}

// Gives the node its extent up to the last token taken, and its depth.
Parsed<NodePtr> Parser::finish(NodePtr node) const {
  const Range last = tokens_[at_ == 0 ? 0 : at_ - 1].where;
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
  const bool not_in = at("not") && tokens_[at_ + 1].spelling == "in";
  if (!not_in) return std::nullopt;
  at_ += 2;
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
    const auto* const found = std::ranges::find_if(kInfix, [&](const Infix& candidate) {
      return candidate.strength >= strength && at(candidate.spelling);
    });
    if (found == kInfix.end()) break;
    ++at_;
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
  ++at_;
  if (minus && peek().kind == TokenKind::too_big) {
    ++at_;
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

Parsed<NodePtr> parse(std::string_view text, std::size_t most_nesting) {
  auto tokens = tokenize(text);
  if (!tokens) return std::unexpected(std::move(tokens).error());
  return Parser(*std::move(tokens), most_nesting).whole();
}

}  // namespace vyre::space::detail
