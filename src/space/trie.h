// Trie: the valid combinations of a group of parameters, as a graph in which equal continuations
// are shared. Every node knows how many combinations lie below it, so a combination can be found by
// its index.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/space.h"

namespace vyre::space::detail {

// The wish of nearest_valid for one parameter.
struct Wish {
  std::uint32_t value = 0;
  bool listed = true;  // false: every value counts as changed
};

class Trie {
 public:
  struct Edge {
    std::uint32_t value = 0;
    std::uint32_t child = 0;
    std::uint64_t before = 0;  // combinations below the earlier edges of the same node
  };
  struct Node {
    std::uint64_t first_edge = 0;
    std::uint32_t edges = 0;
    std::uint32_t level = 0;
    std::uint64_t count = 0;
  };
  static constexpr std::uint32_t kLeaf = 0;              // the end of every combination
  static constexpr std::uint64_t kTooMany = 1ULL << 63;  // counts stop here

  // `parameters`: which one each level binds.
  explicit Trie(std::vector<std::size_t> parameters);

  // Edges must be in the order of values, of children that exist, and `before` is filled in here.
  std::uint32_t add_node(std::size_t level, std::span<Edge> edges);
  void set_root(std::uint32_t root) { root_ = root; }

  const std::vector<std::size_t>& parameters() const { return parameters_; }
  std::uint64_t size() const { return nodes_[root_].count; }
  std::uint64_t count(std::uint32_t node) const { return nodes_[node].count; }
  std::size_t nodes() const { return nodes_.size(); }
  std::size_t edges() const { return edges_.size(); }

  // Writes this group's elements of `point`, leaving the others alone.
  void at(std::uint64_t index, std::span<std::uint32_t> point) const;
  std::optional<std::uint64_t> index_of(PointView point) const;

  // The index of the combination nearest to the wishes of all parameters (not only this group's).
  std::uint64_t nearest(std::span<const Wish> wishes) const;

  // Adds to counts[parameter][value] the combinations that have it.
  void count_values(std::vector<std::vector<std::uint64_t>>& counts) const;

 private:
  std::span<const Edge> edges_of(const Node& node) const {
    return std::span(edges_).subspan(node.first_edge, node.edges);
  }

  std::vector<std::size_t> parameters_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::uint32_t root_ = kLeaf;
};

}  // namespace vyre::space::detail
