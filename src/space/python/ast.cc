#include "space/python/ast.h"

#include <algorithm>

namespace vyre::space::detail {
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
