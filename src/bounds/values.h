// Values: the expressions of a program as polynomials.
//
// A visit of an expression notes in `Proofs` which guards it does not need. Each expression must be
// visited once, in the order in which the program runs, while the facts of its place are assumed.

#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "bounds/conditions.h"
#include "bounds/facts.h"
#include "bounds/operations.h"
#include "bounds/proofs.h"
#include "vyre/program.h"

namespace vyre::bounds {

// What is known of the launch. `symbols`: the value of each symbol if it is known.
struct LaunchKnowledge {
  std::span<const std::optional<std::uint64_t>> symbols;
  // None: workgroup and grid are the program's expressions, and tunables may be unknown.
  std::optional<std::array<std::uint32_t, 3>> workgroup{};
  // Workgroup and grid, if they are known although the expressions are used.
  std::optional<std::array<std::uint32_t, 3>> sizes{};
  std::optional<std::array<std::uint32_t, 3>> groups{};
  Int most_length = std::numeric_limits<std::uint32_t>::max();
  Int most_tunable = std::numeric_limits<std::uint32_t>::max();
};

class Values {
 public:
  // Keeps references to program, facts and proofs, and the spans of `launch`.
  Values(const ir::Program& program, const LaunchKnowledge& launch, Facts& facts, Proofs& proofs);

  // Called with each expression that was visited, loads included, and its value.
  std::function<void(ir::ExprId, const Poly&)> on_value{};

  // Unknown if the expression is no integer scalar.
  Poly visit(ir::ExprId id);
  // The same for a bool.
  Condition visit_condition(ir::ExprId id);

  // Whether the guards that a kernel needs are asked for: not where tunables are unknown.
  bool proves_guards() const { return launch_.workgroup.has_value(); }

  // Whether `width` elements from index * width on are proved to be in the buffer.
  bool is_inside(std::uint32_t buffer, const Poly& index, std::uint32_t width);

  // The number of the invocation in its workgroup: local_id(0) + size 0 * (local_id(1) + size 1 *
  // local_id(2)).
  Poly place_in_workgroup() const;

  const Poly& id(std::uint32_t index) const { return ids_[index]; }  // by Expr::index
  const Poly& length(std::uint32_t buffer) const { return lengths_[buffer]; }
  Operations& operations() { return operations_; }
  Poly symbol(std::uint32_t index);

  void set(std::uint32_t variable, const Poly& value) { variables_[variable] = value; }
  const Poly& of(std::uint32_t variable) const { return variables_[variable]; }
  void set_condition(std::uint32_t variable, Condition condition);
  // From now on the variable has some value that nothing is known of.
  void forget(std::uint32_t variable);

 private:
  Poly value(ir::ExprId id);
  void declare_ids();
  void declare_axis(std::uint32_t axis);
  Poly workgroup_size(std::uint32_t axis);
  Poly group_count(std::uint32_t axis, const Poly& size);
  Poly visit_grid(ir::ExprId id);
  void declare_tunables();
  void declare_lengths();
  Poly leaf(const ir::Expr& e);
  Poly load(ir::ExprId id);
  Poly select(const ir::Expr& e);
  Poly cast(const ir::Expr& e);
  Poly operation(ir::ExprId id);

  const ir::Program& program_;
  LaunchKnowledge launch_;
  Facts& facts_;
  Proofs& proofs_;
  Operations operations_;
  std::vector<Poly> ids_;  // by Expr::index
  std::vector<Poly> variables_;
  std::vector<Condition> conditions_;  // by variable: bools that are never assigned
  std::vector<Poly> lengths_;          // by buffer
};

}  // namespace vyre::bounds
