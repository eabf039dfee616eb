#include "space/trie_builder.h"

#include <optional>

#include "base/error.h"
#include "space/key_table.h"
#include "space/residual.h"

namespace vyre::space::detail {
namespace {

constexpr std::uint32_t kDead = ~std::uint32_t{0};  // no combination continues from here
constexpr std::size_t kLargestTable = std::size_t{1} << 20;
constexpr std::size_t kMostTableBytes = std::size_t{1} << 26;

// A constraint at the level that binds the last of its parameters. Verdicts are remembered per
// combination of its values, because the same few combinations come up under very many nodes.
struct Check {
  struct Stride {
    std::size_t parameter;
    std::size_t stride;
  };
  const Constraint* constraint;
  std::vector<Stride> earlier;
  std::vector<Verdict> table;  // empty: too many combinations
  std::size_t base = 0;        // into the table, for the node being expanded
};

struct Level {
  std::size_t parameter;
  std::vector<Check> checks;
  Residual residual;
  KeyTable known = {};
  std::vector<Trie::Edge> edges = {};
};

class Builder {
 public:
  Builder(ReducedDefinition& reduced, const std::vector<std::size_t>& order,
          ConstructionBudget& budget, Place* place)
      : reduced_(reduced),
        budget_(budget),
        place_(place),
        trie_(order),
        cells_(reduced.names.size()),
        values_(reduced.names.size()),
        evaluation_(reduced.limits.most_steps) {
    for (std::size_t p = 0; p < cells_.size(); ++p) bind(p, reduced.live[p][0]);
    plan(order);
  }

  Expected<Trie> run() {
    const std::uint32_t root = expand(0);
    if (error_) return std::unexpected(*std::move(error_));
    trie_.set_root(root == kDead ? trie_.add_node(0, {}) : root);
    return std::move(trie_);
  }

 private:
  void bind(std::size_t parameter, std::uint32_t value) {
    values_[parameter] = value;
    cells_[parameter] = reduced_.cells[parameter][value];
  }

  void plan(const std::vector<std::size_t>& order);
  Check make_check(const Constraint& constraint, std::size_t last);

  std::uint32_t expand(std::size_t level);
  void try_value(Level& here, std::size_t level, std::uint32_t value);
  const Constraint* find_fault(Level& here, std::uint32_t value, bool& removed);
  Verdict verdict_of(Check& check, std::uint32_t value);
  bool spend_step();
  bool spend_node();
  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }

  ReducedDefinition& reduced_;
  ConstructionBudget& budget_;
  Place* place_;
  Trie trie_;
  std::vector<Cell> cells_;  // of the current partial combination
  Point values_;
  Evaluation evaluation_;
  std::vector<Level> levels_;
  std::size_t table_bytes_ = 0;
  std::unordered_map<std::string, std::uint64_t> texts_;
  Key key_;
  std::optional<Error> error_;
};

// Finds the constraints that are complete at each level, and those that are pending before it.
void Builder::plan(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> level_of(reduced_.names.size(), kNone);
  for (std::size_t i = 0; i < order.size(); ++i) level_of[order[i]] = i;
  std::vector<std::vector<const Constraint*>> complete(order.size());
  for (const Constraint& constraint : reduced_.constraints) {
    std::size_t last = kNone;
    for (const std::size_t p : constraint.parameters) {
      const bool later = level_of[p] != kNone && (last == kNone || level_of[p] > last);
      if (later && reduced_.live[p].size() > 1) last = level_of[p];
    }
    if (!constraint.applied && last != kNone) complete[last].push_back(&constraint);
  }
  std::vector<bool> bound(reduced_.names.size());
  levels_.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<const Constraint*> pending;
    for (std::size_t j = i; j < order.size(); ++j) {
      pending.insert(pending.end(), complete[j].begin(), complete[j].end());
    }
    levels_.push_back({order[i], {}, Residual(reduced_, bound, pending)});
    for (const Constraint* constraint : complete[i]) {
      levels_.back().checks.push_back(make_check(*constraint, order[i]));
    }
    bound[order[i]] = true;
  }
}

Check Builder::make_check(const Constraint& constraint, std::size_t last) {
  Check check{&constraint, {}, {}, 0};
  std::size_t size = reduced_.cells[last].size();
  for (const std::size_t p : constraint.parameters) {
    if (p == last || reduced_.live[p].size() == 1) continue;
    check.earlier.push_back({p, size});
    if (size <= kLargestTable) size *= reduced_.cells[p].size();
  }
  if (size <= kLargestTable && table_bytes_ + size <= kMostTableBytes) {
    table_bytes_ += size;
    check.table.resize(size);
  }
  return check;
}

std::uint32_t Builder::expand(std::size_t level) {
  if (level == levels_.size()) return Trie::kLeaf;
  Level& here = levels_[level];
  key_.clear();
  here.residual.append_key(cells_, values_, evaluation_, texts_, key_);
  const auto [entry, is_new] = here.known.find_or_add(key_);
  if (!is_new) return here.known.node(entry);
  if (!spend_node()) return kDead;
  for (Check& check : here.checks) {
    check.base = 0;
    for (const auto& [parameter, stride] : check.earlier) {
      check.base += values_[parameter] * stride;
    }
  }
  here.edges.clear();
  for (const std::uint32_t value : reduced_.live[here.parameter]) {
    if (!spend_step()) return kDead;
    try_value(here, level, value);
    if (error_) return kDead;
  }
  const std::uint32_t node = here.edges.empty() ? kDead : trie_.add_node(level, here.edges);
  here.known.node(entry) = node;
  return node;
}

void Builder::try_value(Level& here, std::size_t level, std::uint32_t value) {
  bind(here.parameter, value);
  bool removed = false;
  const Constraint* fault = find_fault(here, value, removed);
  if (removed) return;
  const std::uint32_t child = expand(level + 1);
  if (child == kDead) return;
  if (fault != nullptr) {  // and no other constraint excludes this
    fail(faulty_constraint(reduced_, *fault, cells_, place_));
    return;
  }
  here.edges.push_back({value, child, 0});
}

// Applies the level's checks; returns the first that could not be evaluated, if any.
const Constraint* Builder::find_fault(Level& here, std::uint32_t value, bool& removed) {
  const std::size_t faulty = reduced_.faulty[here.parameter][value];
  const Constraint* fault = faulty == kNone ? nullptr : &reduced_.constraints[faulty];
  for (Check& check : here.checks) {
    const Verdict verdict = verdict_of(check, value);
    if (verdict == Verdict::no) {
      ++reduced_.removals[check.constraint->source];
      removed = true;
      return nullptr;
    }
    if (verdict == Verdict::faulty && fault == nullptr) fault = check.constraint;
  }
  return fault;
}

Verdict Builder::verdict_of(Check& check, std::uint32_t value) {
  if (check.table.empty()) return judge(*check.constraint, cells_, evaluation_);
  Verdict& verdict = check.table[check.base + value];
  if (verdict == Verdict::unknown) verdict = judge(*check.constraint, cells_, evaluation_);
  return verdict;
}

bool Builder::spend_step() {
  ++reduced_.steps;
  if (budget_.steps-- != 0) return true;
  budget_.steps = 0;
  fail({ErrorKind::bad_inputs, "limit",
        "the space takes too many steps to construct: constrain parameters in smaller groups, or "
        "raise most_steps"});
  return false;
}

bool Builder::spend_node() {
  if (budget_.nodes-- != 0) return true;
  budget_.nodes = 0;
  fail({ErrorKind::bad_inputs, "limit",
        "the space needs too many nodes: constrain parameters in smaller groups, or raise "
        "most_nodes"});
  return false;
}

}  // namespace

Expected<Trie> build_trie(ReducedDefinition& reduced, const std::vector<std::size_t>& order,
                          ConstructionBudget& budget, Place* place) {
  return Builder(reduced, order, budget, place).run();
}

}  // namespace vyre::space::detail
