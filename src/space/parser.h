// Parser: recursive descent over the tokens of one expression. Used by `parse` only; operators are
// in parser.cc, what stands between them in parser_atoms.cc.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "space/ast.h"

namespace vyre::space::detail {

class Parser {
 public:
  Parser(std::vector<Token> tokens, std::size_t most_nesting)
      : tokens_(std::move(tokens)), most_nesting_(most_nesting) {}

  Parsed<NodePtr> whole();

 private:
  const Token& peek() const { return tokens_[at_]; }
  bool at(std::string_view symbol) const {
    return peek().kind == TokenKind::symbol && peek().spelling == symbol;
  }
  bool take(std::string_view symbol) {
    if (!at(symbol)) return false;
    ++at_;
    return true;
  }

  std::unexpected<Fault> fault(std::string problem) const {
    return std::unexpected(Fault{std::move(problem), peek().where});
  }
  std::unexpected<Fault> unexpected_token() const;
  Parsed<void> expect(std::string_view symbol);

  NodePtr make(NodeKind kind, std::size_t begin) const {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->where.offset = begin;
    return node;
  }
  Parsed<NodePtr> finish(NodePtr node) const;
  static Parsed<void> add(Node& node, Parsed<NodePtr> child);

  Parsed<bool> more_items(Node& node, std::string_view closing);
  Parsed<NodePtr> expression();
  Parsed<NodePtr> joined(std::string_view word, NodeKind kind);
  Parsed<NodePtr> negation();
  Parsed<NodePtr> comparison();
  std::optional<Operator> take_comparison();
  Parsed<NodePtr> infix(int strength);
  Parsed<NodePtr> prefix();
  Parsed<NodePtr> power();
  Parsed<NodePtr> atom();
  Parsed<NodePtr> constant();
  Parsed<NodePtr> name_or_call();
  Parsed<NodePtr> bracketed(std::string_view closing);
  Parsed<NodePtr> comprehension(NodePtr element, std::size_t begin);
  Parsed<Clause> clause();

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t nesting_ = 0;
  std::size_t most_nesting_;
};

// Appends a child that may not have parsed, or returns its fault from this function.
#define VYRE_ADD(node, ...)                             \
  if (auto added = add(*(node), __VA_ARGS__); !added) { \
    return std::unexpected(std::move(added).error());   \
  }

}  // namespace vyre::space::detail
