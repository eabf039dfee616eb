// The syntax tree of an expression.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "space/python/operators.h"
#include "space/python/token.h"

namespace vyre::space::detail {

enum class NodeKind : std::uint8_t {
  constant,       // value
  name,           // name
  unary,          // operators[0], 1 child
  binary,         // operators[0], 2 children
  comparison,     // n operators between n + 1 children
  conjunction,    // "and" of 2 or more children
  disjunction,    // "or" of 2 or more children
  negation,       // "not", 1 child
  conditional,    // children: condition, then, else
  call,           // name, children are the arguments
  list,           // children
  tuple,          // children
  comprehension,  // children[0] is the element; clauses
};

struct Node;
using NodePtr = std::unique_ptr<Node>;

// "for variable in iterable if condition if condition"
struct Clause {
  std::string variable;
  NodePtr iterable;
  std::vector<NodePtr> conditions;
};

struct Node {
  NodeKind kind = NodeKind::constant;
  Range where;
  std::size_t depth = 1;  // of the tree below, itself included
  Value value;
  std::string name;
  std::vector<Operator> operators;
  std::vector<NodePtr> children;
  std::vector<Clause> clauses;
};

// Adds to `out` the names that the tree takes from outside, in order, each once.
void collect_names(const Node& node, std::vector<std::string>& out);

}  // namespace vyre::space::detail
