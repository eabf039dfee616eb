// PlacementPlan: which nodes of a draft become lets, and which are written where they are used.
//
// Leaves are always written at their uses, unused nodes nowhere. A node with one use is written at
// its use if that changes neither its value nor how often it is computed. So a load does not move
// past a store or into another block, a read of a variable does not move past an assignment, and
// nothing moves into a loop. Every other node gets a name at its place, so that shared values stay
// shared.

#pragma once

#include <vector>

#include "ir/build/draft.h"

namespace vyre::ir {

enum class Placement : std::uint8_t { dropped, inlined, named };

class PlacementPlan {
 public:
  explicit PlacementPlan(const Draft& draft);

  Placement placement(NodeId node) const { return entries_[node].placement; }
  // The order of lets that stand together. It follows the statements that use them, so that a
  // program does not depend on the order in which a compiler evaluates operands.
  std::uint32_t rank(NodeId node) const { return entries_[node].rank; }
  // Whether a while condition is too deep or too large to be one expression.
  bool condition_is_too_large() const { return condition_is_too_large_; }

 private:
  struct Entry {
    std::uint32_t uses = 0;
    // The place of the use, if there is only one.
    ScopeId user_scope = 0;
    Epoch user_epoch;
    bool must_be_first = false;  // used by a loop's bounds, which are fixed before it starts
    Placement placement = Placement::dropped;
    bool loads = false;  // whether the node, or a node inlined into it, loads or reads a variable
    bool reads = false;
    std::uint32_t height = 1;
    std::uint64_t weight = 1;
    std::uint32_t rank = kNone;
  };

  void count_uses();
  void use(NodeId node, ScopeId scope, Epoch epoch, bool must_be_first);
  void use_args(const DraftStmt& stmt);
  void decide(NodeId node);
  void gather(NodeId node);
  bool can_move(NodeId node) const;
  void rank_scope(ScopeId scope);
  void rank_below(NodeId root);

  const Draft& draft_;
  std::vector<Entry> entries_;
  bool condition_is_too_large_ = false;
  std::uint32_t ranked_ = 0;
};

}  // namespace vyre::ir
