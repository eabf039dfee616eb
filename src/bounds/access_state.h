// AccessState: what Accesses knows of a program, and the facts of the place that is asked about.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "bounds/access_walk.h"
#include "bounds/accesses.h"
#include "bounds/proof_budget.h"
#include "bounds/radix.h"
#include "ir/ops.h"

namespace vyre::bounds {

struct AccessState {
  // Walks the program. Keeps a reference to it.
  AccessState(const ir::Program& program, const Assumptions& assumptions);
  AccessState(const AccessState&) = delete;
  AccessState& operator=(const AccessState&) = delete;

  // Assumes the facts of a place, or only those of the launch (kNone). Each question has its own
  // work, so that an answer does not depend on the questions before.
  void enter(std::uint32_t place);
  // Nothing is known of places that do not exist, and of all if no work is left.
  bool knows(std::uint32_t place) const {
    return walk.is_complete && place < walk.places.size() && ProofBudget::has_work();
  }

  // The ids of an axis of the launch as digits if they are used, and as zeros if they are not.
  void add_ids(std::uint32_t axis, const std::function<bool(Atom)>& is_used,
               std::vector<RadixDigit>& digits, std::vector<Atom>& zeros);
  Poly id(ir::IdKind kind, std::uint32_t axis) {
    return walk.values().id(ir::id_index(kind, axis));
  }

  bool is_uniform(const Poly& p) { return walk.values().operations().is_uniform(p); }
  // Any lane of a vector of so many elements: 0 to width - 1.
  Atom lane(std::uint32_t width);
  // The terms that are not the same for all invocations and turns.
  Poly varying_part(const Poly& p);

  const ir::Program& program;
  std::vector<std::optional<std::uint64_t>> symbols;
  Facts facts{Facts::Order::newest_atom_first};
  Proofs proofs;
  AccessWalk walk;
  Radix radix;

 private:
  LaunchKnowledge knowledge(const Assumptions& assumptions);
  void describe_atoms();

  std::uint32_t entered_ = ir::kNone;
  std::map<std::uint32_t, Atom> lanes_;  // by width
};

}  // namespace vyre::bounds
