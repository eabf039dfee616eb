#include "ir/build/placement.h"

#include <algorithm>

#include "vyre/program.h"

namespace vyre::ir {
namespace {

// Longer expressions are cut into lets, well before `validate` would refuse them.
constexpr std::uint32_t kMostHeight = 32;

}  // namespace

PlacementPlan::PlacementPlan(const Draft& draft) : draft_(draft), entries_(draft.nodes.size()) {
  count_uses();
  for (NodeId node = 0; node < entries_.size(); ++node) {
    if (entries_[node].uses != 0) decide(node);
  }
  rank_scope(0);
}

void PlacementPlan::use(NodeId node, ScopeId scope, Epoch epoch, bool must_be_first) {
  if (node == kNone) return;
  Entry& entry = entries_[node];
  ++entry.uses;
  entry.user_scope = scope;
  entry.user_epoch = epoch;
  entry.must_be_first = must_be_first;
}

void PlacementPlan::use_args(const DraftStmt& stmt) {
  const StmtKind kind = stmt.stmt.kind;
  for (std::size_t i = 0; i < stmt.stmt.args.size(); ++i) {
    const bool is_condition = kind == StmtKind::while_ && i == 0;
    const bool is_bound = kind == StmtKind::for_ || kind == StmtKind::while_;
    use(stmt.stmt.args[i], is_condition ? stmt.condition : stmt.scope, stmt.epoch, is_bound);
  }
}

void PlacementPlan::count_uses() {
  for (const DraftStmt& stmt : draft_.stmts) use_args(stmt);
  // A node comes before its users, so going backwards meets every use before the node itself.
  for (NodeId id = static_cast<NodeId>(entries_.size()); id-- > 0;) {
    const DraftNode& node = draft_.nodes[id];
    if (entries_[id].uses == 0) continue;
    for (std::uint32_t i = 0; i < operand_count(node.expr); ++i) {
      use(node.expr.args[i], node.scope, node.epoch, false);
    }
  }
}

void PlacementPlan::gather(NodeId id) {
  const Expr& expr = draft_.nodes[id].expr;
  Entry& entry = entries_[id];
  entry.loads = expr.op == Op::load;
  entry.reads = expr.op == Op::variable;
  for (std::uint32_t i = 0; i < operand_count(expr); ++i) {
    const Entry& arg = entries_[expr.args[i]];
    if (arg.placement != Placement::inlined) continue;
    entry.loads |= arg.loads;
    entry.reads |= arg.reads;
    entry.height = std::max(entry.height, std::min(arg.height, Limits::kExprDepth) + 1);
    entry.weight = std::min<std::uint64_t>(entry.weight + arg.weight, Limits::kNodes + 1);
  }
}

bool PlacementPlan::can_move(NodeId id) const {
  const DraftNode& node = draft_.nodes[id];
  const Entry& entry = entries_[id];
  if (entry.uses != 1 || entry.height > kMostHeight) return false;
  if (!entry.loads && !entry.reads) {
    return draft_.scopes[node.scope].loop == draft_.scopes[entry.user_scope].loop;
  }
  if (node.scope != entry.user_scope || entry.must_be_first) return false;
  if (entry.loads && node.epoch.memory != entry.user_epoch.memory) return false;
  return !entry.reads || node.epoch.variables == entry.user_epoch.variables;
}

void PlacementPlan::decide(NodeId id) {
  Entry& entry = entries_[id];
  if (is_leaf(draft_, draft_.nodes[id].expr)) {
    entry.placement = Placement::inlined;
    return;
  }
  gather(id);
  // A condition is evaluated again in every turn, so it stays one expression, even if it shares
  // nodes.
  const bool in_condition = draft_.scopes[draft_.nodes[id].scope].kind == ScopeKind::condition;
  if (in_condition) {
    condition_is_too_large_ |= entry.height > Limits::kExprDepth || entry.weight > Limits::kNodes;
  }
  entry.placement = in_condition || can_move(id) ? Placement::inlined : Placement::named;
}

void PlacementPlan::rank_scope(ScopeId scope) {
  if (scope == kNone) return;
  for (const DraftItem& item : draft_.scopes[scope].items) {
    if (!item.is_stmt) continue;
    const DraftStmt& stmt = draft_.stmts[item.id];
    for (const NodeId arg : stmt.stmt.args) {
      if (arg != kNone) rank_below(arg);
    }
    rank_scope(stmt.body);
    rank_scope(stmt.otherwise);
  }
}

// Ranks operands before their users. There is no recursion, because chains of lets may have any
// length.
void PlacementPlan::rank_below(NodeId root) {
  struct Open {
    NodeId node;
    std::uint32_t next_arg;
  };
  std::vector<Open> open{{root, 0}};
  while (!open.empty()) {
    auto& [node, next_arg] = open.back();
    const Expr& expr = draft_.nodes[node].expr;
    if (entries_[node].rank != kNone) {
      open.pop_back();
    } else if (next_arg < operand_count(expr)) {
      open.push_back({expr.args[next_arg++], 0});
    } else {
      entries_[node].rank = ranked_++;
      open.pop_back();
    }
  }
}

}  // namespace vyre::ir
