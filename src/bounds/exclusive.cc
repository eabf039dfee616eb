#include "bounds/exclusive.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "bounds/order.h"
#include "bounds/radix.h"

namespace vyre::bounds {
namespace {

using ir::Block;
using ir::kNone;
using ir::Stmt;
using ir::StmtId;

using Replacements = std::map<Atom, Poly>;

Poly replaced(const Poly& p, const Replacements& by) {
  if (!p.is_known()) return p;
  Poly out;
  for (const Term& t : p.terms()) {
    Poly product(t.coefficient);
    for (std::size_t k = 0; k < t.monomial.degree; ++k) {
      const auto it = by.find(t.monomial.atoms[k]);
      product = product * (it == by.end() ? Poly::of(t.monomial.atoms[k]) : it->second);
    }
    out = out + product;
  }
  return out;
}

std::vector<Poly> replaced(std::span<const Poly> all, const Replacements& by) {
  std::vector<Poly> out;
  for (const Poly& p : all) out.push_back(replaced(p, by));
  return out;
}

// The two branches of the `if` that decides which of two statements runs.
struct Branches {
  StmtId decides = kNone;
  const Block* of_first = nullptr;
  const Block* of_second = nullptr;
};

bool holds_stmt(const StmtOrder& order, const Block& block, StmtId stmt) {
  return std::ranges::any_of(block, [&](StmtId id) { return order.is_inside(stmt, id); });
}

std::optional<Branches> branches_of(const ir::Program& program, StmtId first, StmtId second) {
  const StmtOrder order(program);
  for (StmtId id = order.around(first); id != kNone; id = order.around(id)) {
    const Stmt& s = program.stmts[id];
    if (s.kind != ir::StmtKind::if_) continue;
    for (const auto& [yes, no] : {std::pair(&s.body, &s.otherwise), {&s.otherwise, &s.body}}) {
      if (holds_stmt(order, *yes, first) && holds_stmt(order, *no, second)) {
        return Branches{id, yes, no};
      }
    }
  }
  return std::nullopt;
}

// What the first access of a branch has beyond what holds in front of the branch.
struct Inner {
  std::vector<Poly> guards{};
  std::vector<Atom> turns{};
};

std::optional<Inner> inner_of(const Accesses& accesses, const MemoryAccess& access,
                              const Block& branch) {
  const auto front = accesses.place_of(branch.front());
  if (!front || !accesses.is_certain(access.place)) return std::nullopt;
  Inner out;
  const auto guards = accesses.guards(access.place).subspan(accesses.guards(*front).size());
  out.guards.assign(guards.begin(), guards.end());
  for (const StmtId loop : accesses.loops(access.place).subspan(accesses.loops(*front).size())) {
    const auto turn = accesses.turn_of(loop);
    if (!turn) return std::nullopt;
    out.turns.push_back(*turn);
  }
  return out;
}

Replacements renamed(const std::vector<Atom>& from, const std::vector<Atom>& to) {
  Replacements out;
  for (std::size_t k = 0; k < from.size(); ++k) out.emplace(from[k], Poly::of(to[k]));
  return out;
}

bool all_hold(Accesses& accesses, std::uint32_t place, const std::vector<Poly>& guards) {
  return std::ranges::all_of(guards, [&](const Poly& g) { return accesses.holds(place, g); });
}

}  // namespace

// Let C be the condition of the `if`, A and B the conditions inside its branches, with the same
// names for the turns of both. If C and A imply B, then (C and A) is (C and A and B); if (not C)
// and B imply A, then (not C and B) is (not C and A and B). So one of the two is reached exactly
// where A and B hold.
std::optional<MemoryAccess> united(const ir::Program& program, Accesses& accesses,
                                   const MemoryAccess& a, const MemoryAccess& b) {
  if (a.kind != b.kind || a.buffer != b.buffer || a.width != b.width) return std::nullopt;
  const auto branches = branches_of(program, a.stmt, b.stmt);
  if (!branches) return std::nullopt;
  const auto place = accesses.place_of(branches->decides);
  const auto first = inner_of(accesses, a, *branches->of_first);
  const auto second = inner_of(accesses, b, *branches->of_second);
  if (!place || !first || !second || first->turns.size() != second->turns.size()) {
    return std::nullopt;
  }
  const Replacements to_first = renamed(second->turns, first->turns);
  const std::vector<Poly> of_second = replaced(second->guards, to_first);
  if (!a.index.is_known() || replaced(b.index, to_first) != a.index) return std::nullopt;
  if (!all_hold(accesses, a.place, of_second)) return std::nullopt;
  if (!all_hold(accesses, b.place, replaced(first->guards, renamed(first->turns, second->turns)))) {
    return std::nullopt;
  }
  const auto common = accesses.guards(*place);
  std::vector<Poly> guards(common.begin(), common.end());
  guards.insert(guards.end(), first->guards.begin(), first->guards.end());
  guards.insert(guards.end(), of_second.begin(), of_second.end());
  MemoryAccess out = a;
  out.place = accesses.add_place(a.place, std::move(guards));
  return out;
}

namespace {

// min(x, y) * factor + rest >= 0, with a factor above 0, is x * factor + rest >= 0 and the same for
// y.
bool split_first_min(const Accesses& accesses, std::vector<Poly>& guards) {
  for (std::size_t k = 0; k < guards.size(); ++k) {
    for (const Term& t : guards[k].terms()) {
      if (t.monomial.degree != 1 || t.coefficient < 0) continue;
      const Atom atom = t.monomial.atoms[0];
      const auto operands = accesses.operands_of_min(atom);
      const Poly rest = guards[k] - Poly(t.coefficient).times(1, t.monomial);
      if (!operands || has_atom(rest, atom)) continue;
      const Poly factor(t.coefficient);
      guards.push_back(operands->second * factor + rest);
      guards[k] = operands->first * factor + rest;
      return true;
    }
  }
  return false;
}

MemoryAccess with_split_guards(Accesses& accesses, const MemoryAccess& access) {
  constexpr std::size_t kMostGuards = 32;
  const auto old = accesses.guards(access.place);
  std::vector<Poly> guards(old.begin(), old.end());
  bool is_split = false;
  while (guards.size() < kMostGuards && split_first_min(accesses, guards)) is_split = true;
  MemoryAccess out = access;
  if (is_split) out.place = accesses.add_place(access.place, std::move(guards));
  return out;
}

// The access with one operand of a min instead of it. With the guards G and m = min(is, other): G
// implies m < other, so m is `is` there. And G with `is` for m implies is <= other, so that m is
// `is` there too: both describe the same turns and invocations.
std::optional<MemoryAccess> with_operand(Accesses& accesses, const MemoryAccess& access, Atom min,
                                         const Poly& is, const Poly& other) {
  const auto old = accesses.guards(access.place);
  std::vector<Poly> guards(old.begin(), old.end());
  const std::uint32_t bare = accesses.add_place(access.place, guards);
  if (!accesses.holds(bare, other - Poly(1) - Poly::of(min))) return std::nullopt;
  const Replacements by{{min, is}};
  MemoryAccess out = access;
  out.index = replaced(access.index, by);
  out.place = accesses.add_place(access.place, replaced(guards, by));
  const bool is_same = out.index.is_known() && accesses.holds(out.place, other - is);
  return is_same ? std::optional(out) : std::nullopt;
}

// With an operand instead of one of the mins in the index.
std::optional<MemoryAccess> with_one_less(Accesses& accesses, const MemoryAccess& access) {
  for (const Term& t : access.index.terms()) {
    for (std::size_t k = 0; k < t.monomial.degree; ++k) {
      const Atom atom = t.monomial.atoms[k];
      const auto operands = accesses.operands_of_min(atom);
      if (!operands) continue;
      const auto& [x, y] = *operands;
      if (auto out = with_operand(accesses, access, atom, x, y)) return out;
      if (auto out = with_operand(accesses, access, atom, y, x)) return out;
    }
  }
  return std::nullopt;
}

}  // namespace

MemoryAccess without_min(Accesses& accesses, const MemoryAccess& access) {
  if (!access.index.is_known()) return access;
  MemoryAccess out = with_split_guards(accesses, access);
  while (auto less = with_one_less(accesses, out)) out = *less;
  return out;
}

}  // namespace vyre::bounds
