#include "space/trie.h"

#include <algorithm>

#include "base/check.h"

namespace vyre::space::detail {
namespace {

// Changed parameters count before steps. The cost is additive, so that groups can be optimised one
// by one.
struct Cost {
  std::uint64_t changes = 0;
  std::uint64_t steps = 0;
  auto operator<=>(const Cost&) const = default;
};

Cost cost_of(const Wish& wish, std::uint32_t value) {
  const std::uint64_t steps = value > wish.value ? value - wish.value : wish.value - value;
  return {steps != 0 || !wish.listed ? 1U : 0U, steps};
}

}  // namespace

Trie::Trie(std::vector<std::size_t> parameters) : parameters_(std::move(parameters)) {
  nodes_.push_back({0, 0, static_cast<std::uint32_t>(parameters_.size()), 1});
}

std::uint32_t Trie::add_node(std::size_t level, std::span<Edge> edges) {
  Node node{edges_.size(), static_cast<std::uint32_t>(edges.size()),
            static_cast<std::uint32_t>(level), 0};
  for (Edge& edge : edges) {
    edge.before = node.count;
    node.count = std::min(kTooMany, node.count + nodes_[edge.child].count);
  }
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void Trie::at(std::uint64_t index, std::span<std::uint32_t> point) const {
  const Node* node = &nodes_[root_];
  VYRE_CHECK(index < node->count);
  while (node->edges != 0) {
    const auto edges = edges_of(*node);
    const auto after = std::ranges::upper_bound(edges, index, {}, &Edge::before);
    const Edge& edge = *(after - 1);
    point[parameters_[node->level]] = edge.value;
    index -= edge.before;
    node = &nodes_[edge.child];
  }
}

std::optional<std::uint64_t> Trie::index_of(PointView point) const {
  const Node* node = &nodes_[root_];
  std::uint64_t index = 0;
  while (node->edges != 0) {
    const auto edges = edges_of(*node);
    const std::uint32_t value = point[parameters_[node->level]];
    const auto found = std::ranges::lower_bound(edges, value, {}, &Edge::value);
    if (found == edges.end() || found->value != value) return std::nullopt;
    index += found->before;
    node = &nodes_[found->child];
  }
  return index;
}

// Children precede their parents, so one pass computes the least cost below every node.
std::uint64_t Trie::nearest(std::span<const Wish> wishes) const {
  std::vector<Cost> least(nodes_.size());
  std::vector<std::uint32_t> choice(nodes_.size());
  for (std::size_t n = 1; n < nodes_.size(); ++n) {
    const auto edges = edges_of(nodes_[n]);
    const Wish& wish = wishes[parameters_[nodes_[n].level]];
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      Cost cost = cost_of(wish, edges[e].value);
      cost.changes += least[edges[e].child].changes;
      cost.steps += least[edges[e].child].steps;
      if (e != 0 && cost >= least[n]) continue;
      least[n] = cost;
      choice[n] = e;
    }
  }
  std::uint64_t index = 0;
  for (std::uint32_t n = root_; n != kLeaf;) {
    const Edge& edge = edges_of(nodes_[n])[choice[n]];
    index += edge.before;
    n = edge.child;
  }
  return index;
}

void Trie::count_values(std::vector<std::vector<std::uint64_t>>& counts) const {
  std::vector<std::uint64_t> ways(nodes_.size());  // from the root to the node
  ways[root_] = 1;
  for (std::size_t n = nodes_.size(); n-- > 1;) {
    for (const Edge& edge : edges_of(nodes_[n])) {
      ways[edge.child] += ways[n];
      counts[parameters_[nodes_[n].level]][edge.value] += ways[n] * nodes_[edge.child].count;
    }
  }
}

}  // namespace vyre::space::detail
