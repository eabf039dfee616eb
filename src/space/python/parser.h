// From the text of an expression to its syntax tree, by recursive descent.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "space/python/ast.h"
#include "space/python/token_cursor.h"

namespace vyre::space::detail {

class Parser : private TokenCursor {
 public:
  Parser(std::vector<Token> tokens, std::size_t most_nesting)
      : TokenCursor(std::move(tokens)), most_nesting_(most_nesting) {}

  Parsed<NodePtr> whole();

 private:
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

  std::size_t nesting_ = 0;
  std::size_t most_nesting_;
};

// Appends a child that may not have parsed, or returns its fault from this function.
#define VYRE_ADD(node, ...)                             \
  if (auto added = add(*(node), __VA_ARGS__); !added) { \
    return std::unexpected(std::move(added).error());   \
  }

// The tree of `text`. The tree is neither deeper than a fixed bound nor nested deeper than
// most_nesting, so a walk over it may recurse.
Parsed<NodePtr> parse(std::string_view text, std::size_t most_nesting);

}  // namespace vyre::space::detail
