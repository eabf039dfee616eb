#include "bounds/accesses.h"

#include <algorithm>
#include <iterator>

#include "bounds/access_state.h"
#include "bounds/analysis_cache.h"
#include "bounds/radix.h"
#include "ir/ops.h"

namespace vyre::bounds {
namespace {

using ir::ExprId;
using ir::IdKind;
using ir::StmtId;

// Of a budget, for each pair of numbers that are tried as parts of another one.
constexpr std::uint64_t kPairWork = 25;

}  // namespace

Accesses::Accesses(const ir::Program& program, const Assumptions& assumptions)
    : state_(AnalysisCache::find(program, assumptions)) {}
Accesses::~Accesses() = default;
Accesses::Accesses(Accesses&&) noexcept = default;
Accesses& Accesses::operator=(Accesses&&) noexcept = default;

const std::vector<MemoryAccess>& Accesses::all() const { return state_->walk.accesses; }

const MemoryAccess* Accesses::find_load(ExprId load) const {
  const std::uint32_t index = state_->walk.load_accesses[load];
  return index == ir::kNone ? nullptr : &all()[index];
}

const MemoryAccess* Accesses::find_stmt(StmtId stmt) const {
  const std::uint32_t index = state_->walk.stmt_accesses[stmt];
  return index == ir::kNone ? nullptr : &all()[index];
}

const Poly& Accesses::value(ExprId expr) const { return state_->walk.expr_values[expr]; }

const Poly& Accesses::variable(std::uint32_t variable) const {
  return state_->walk.variable_values[variable];
}

const Poly& Accesses::length(std::uint32_t buffer) const {
  return state_->walk.values().length(buffer);
}

Poly Accesses::symbol(std::string_view name) const {
  const auto it = std::ranges::find(state_->program.symbols, name, &ir::Symbol::name);
  if (it == state_->program.symbols.end()) return Poly::unknown();
  return state_->walk.values().symbol(
      static_cast<std::uint32_t>(it - state_->program.symbols.begin()));
}

Poly Accesses::id(IdKind kind, std::uint32_t axis) const { return state_->id(kind, axis); }

AtomInfo Accesses::atom(Atom atom) const {
  const auto it = state_->walk.atoms.find(atom);
  AtomInfo out = it == state_->walk.atoms.end() ? AtomInfo{} : it->second;
  out.is_uniform = is_uniform(Poly::of(atom));
  return out;
}

std::optional<Atom> Accesses::turn_of(StmtId loop) const {
  const auto it = state_->walk.turns.find(loop);
  return it == state_->walk.turns.end() ? std::nullopt : std::optional(it->second);
}

bool Accesses::is_uniform(const Poly& p) const {
  return state_->walk.values().operations().is_uniform(p);
}

std::optional<Poly> Accesses::quotient(const Poly& a, const Poly& b) const {
  return state_->walk.values().operations().find_named("div", ir::Scalar::u32, a, b);
}

std::optional<std::pair<Poly, Poly>> Accesses::operands_of_min(Atom atom) const {
  return state_->walk.values().operations().operands_of_min(atom);
}

bool Accesses::is_plain(ExprId expr) const { return state_->proofs.plain[expr]; }

std::optional<std::uint32_t> Accesses::place_of(StmtId stmt) const {
  const std::uint32_t place = state_->walk.stmt_places[stmt];
  return state_->knows(place) ? std::optional(place) : std::nullopt;
}

std::span<const Poly> Accesses::guards(std::uint32_t place) const {
  return state_->walk.places[place].guards;
}

bool Accesses::is_certain(std::uint32_t place) const {
  return state_->knows(place) && state_->walk.places[place].is_certain;
}

std::span<const StmtId> Accesses::loops(std::uint32_t place) const {
  return state_->walk.places[place].loops;
}

std::uint32_t Accesses::add_place(std::uint32_t like, std::vector<Poly> guards) {
  Facts& facts = state_->facts;
  auto& places = state_->walk.places;
  state_->enter(ir::kNone);
  for (const Poly& guard : guards) facts.assume(guard);
  const auto kept = facts.since(state_->walk.base);
  AccessPlace place = places[like];
  place.facts.assign(kept.begin(), kept.end());
  place.guards = std::move(guards);
  facts.release(state_->walk.base);
  places.push_back(std::move(place));
  return static_cast<std::uint32_t>(places.size() - 1);
}

bool Accesses::holds(std::uint32_t place, const Poly& not_negative) {
  if (!state_->knows(place)) return false;
  state_->enter(place);
  return state_->facts.holds(not_negative);
}

bool Accesses::equal(std::uint32_t place, const Poly& a, const Poly& b) {
  if (!a.is_known() || !b.is_known()) return false;
  return a == b || (holds(place, a - b) && holds(place, b - a));
}

std::vector<Atom> Accesses::invocation_atoms(const Poly& number) const {
  std::vector<Atom> out;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const auto global = as_atom(state_->id(IdKind::global_id, axis));
    if (global && has_atom(number, *global)) {
      out.push_back(*global);
      continue;
    }
    for (const IdKind kind : {IdKind::local_id, IdKind::group_id}) {
      if (const auto atom = as_atom(state_->id(kind, axis))) out.push_back(*atom);
    }
  }
  return out;
}

// The digits of the numbers: on each axis of the launch global_id, or local_id and group_id, and
// the turns of the loops. Ids that no number has may be taken as 0, and so may turns.
bool Accesses::covers(std::uint32_t place, std::span<const RadixAxis> axes) {
  if (!is_certain(place)) return false;
  const auto is_used = [&](Atom atom) {
    return std::ranges::any_of(axes, [&](const RadixAxis& a) { return has_atom(a.number, atom); });
  };
  std::vector<RadixDigit> digits;
  std::vector<Atom> zeros;
  for (std::uint32_t axis = 0; axis < 3; ++axis) state_->add_ids(axis, is_used, digits, zeros);
  for (const StmtId loop : loops(place)) {
    const auto turn = state_->walk.turns.find(loop);
    if (turn == state_->walk.turns.end()) return false;
    if (is_used(turn->second)) {
      digits.push_back({turn->second, std::nullopt});
    } else {
      zeros.push_back(turn->second);
    }
  }
  state_->enter(ir::kNone);
  return state_->radix.covers(axes, digits, zeros, guards(place));
}

std::vector<RadixAxis> Accesses::bounded(std::uint32_t place) const {
  std::vector<RadixAxis> out;
  for (const Poly& guard : guards(place)) {
    const Poly number = Poly(0) - state_->varying_part(guard);
    if (guard.is_known() && !number.terms().empty()) {
      out.push_back({number, guard + number + Poly(1)});
    }
  }
  return out;
}

std::vector<RadixAxis> Accesses::bounded_or_group(std::uint32_t place) const {
  std::vector<RadixAxis> out = bounded(place);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const Poly number = state_->id(IdKind::group_id, axis);
    if (number != Poly(0)) out.push_back({number, state_->id(IdKind::groups, axis)});
  }
  return out;
}

std::vector<RadixAxis> Accesses::launch_axes() const {
  std::vector<RadixAxis> out;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const Poly number = state_->id(IdKind::global_id, axis);
    if (number != Poly(0)) out.push_back({number, state_->id(IdKind::global_size, axis)});
  }
  return out;
}

// A number such as r * cols + c, where c < cols is a condition on a sum of digits, is looked at as
// two axes.
bool Accesses::covers(std::uint32_t place, const Poly& number, const Poly& count) {
  if (!is_certain(place) || !number.is_known()) return false;
  const RadixAxis whole{number, count};
  if (covers(place, std::span(&whole, 1))) return true;
  const std::vector<RadixAxis> candidates = bounded_or_group(place);
  ProofBudget::take(kPairWork * candidates.size() * candidates.size());
  for (const RadixAxis& inner : candidates) {
    for (const RadixAxis& outer : candidates) {
      if (inner.number + inner.count * outer.number != number) continue;
      state_->enter(ir::kNone);
      if (!state_->facts.holds(inner.count * outer.count - count)) continue;
      const RadixAxis axes[] = {inner, outer};
      if (covers(place, axes)) return true;
    }
  }
  return false;
}

std::optional<std::vector<Digit>> Accesses::digits(std::uint32_t place, const Poly& number,
                                                   std::span<const Atom> atoms) {
  if (!state_->knows(place) || !number.is_known()) return std::nullopt;
  state_->enter(place);
  const auto found = state_->radix.decode(number, atoms);
  if (!found) return std::nullopt;
  std::vector<Digit> out;
  for (const Atom atom : atoms) {
    const bool is_digit = std::ranges::find(*found, atom, &Radix::Digit::atom) != found->end();
    if (!is_digit) out.push_back({atom, Poly()});
  }
  for (const Radix::Digit& d : *found) out.push_back({d.atom, d.stride});
  return out;
}

bool Accesses::has_digits(std::uint32_t place, const Poly& number, std::span<const Digit> digits) {
  if (!state_->knows(place) || !number.is_known()) return false;
  state_->enter(place);
  Poly rest = number;
  return std::ranges::all_of(digits, [&](const Digit& d) {
    if (d.stride.terms().empty()) return state_->facts.holds(Poly(0) - Poly::of(d.atom));
    const Poly before = rest;
    return state_->radix.decodes(before, d.atom, d.stride, rest);
  });
}

// A number such as r * cols + c with c < cols has c and r as its digits, whatever they are made of.
bool Accesses::is_injective(std::uint32_t place, const Poly& number) {
  const RadixAxis whole{number, {}};
  if (is_injective(place, std::span(&whole, 1))) return true;
  if (!state_->knows(place)) return false;
  const std::vector<RadixAxis> candidates = bounded_or_group(place);
  ProofBudget::take(kPairWork * candidates.size() * candidates.size());
  for (const RadixAxis& inner : candidates) {
    for (const RadixAxis& outer : candidates) {
      if (inner.number + inner.count * outer.number != number) continue;
      const RadixAxis axes[] = {inner, outer};
      if (holds(place, inner.number) && is_injective(place, axes)) return true;
    }
  }
  return false;
}

// Each id and turn must follow from one of the numbers. A part of a number that is the same for all
// invocations does not tell them apart.
bool Accesses::is_injective(std::uint32_t place, std::span<const RadixAxis> axes) {
  if (!state_->knows(place) || state_->walk.places[place].is_in_while) return false;
  Poly sum;
  for (const RadixAxis& axis : axes) sum = sum + axis.number;
  std::vector<Atom> left = invocation_atoms(sum);
  for (const StmtId loop : loops(place)) {
    const auto turn = turn_of(loop);
    if (!turn) return false;
    left.push_back(*turn);
  }
  for (const RadixAxis& axis : axes) {
    std::vector<Atom> own;
    std::ranges::copy_if(left, std::back_inserter(own),
                         [&](Atom atom) { return has_atom(axis.number, atom); });
    if (!digits(place, state_->varying_part(axis.number), own)) return false;
    std::erase_if(left, [&](Atom atom) { return has_atom(axis.number, atom); });
  }
  return std::ranges::all_of(left,
                             [&](Atom atom) { return holds(place, Poly(0) - Poly::of(atom)); });
}

bool Accesses::is_inside(const MemoryAccess& a) {
  const Poly last = a.index * Poly(a.width) + Poly(a.width);
  return holds(a.place, a.index) && holds(a.place, length(a.buffer) - last);
}

bool Accesses::covers(const MemoryAccess& a) {
  const auto count = exact_quotient(length(a.buffer), Poly(a.width));
  return count && covers(a.place, a.index, *count);
}

bool Accesses::is_injective(const MemoryAccess& a) { return is_injective(a.place, a.index); }

namespace {

// The number of any element that the access touches.
Poly element_of(const MemoryAccess& a, AccessState& state) {
  if (a.width == 1) return a.index;
  return a.index * Poly(a.width) + Poly::of(state.lane(a.width));
}

}  // namespace

bool Accesses::has_digits(const MemoryAccess& a, std::span<const Digit> digits) {
  return has_digits(a.place, element_of(a, *state_), digits);
}

std::optional<std::vector<Digit>> Accesses::digits(const MemoryAccess& a,
                                                   std::span<const Atom> atoms) {
  return digits(a.place, element_of(a, *state_), atoms);
}

bool Accesses::covers_buffer(std::uint32_t buffer) {
  return std::ranges::any_of(all(), [&](const MemoryAccess& a) {
    return a.buffer == buffer && a.kind == AccessKind::store && covers(a);
  });
}

// The element that the load reads is stored by the same invocation, in the same turn of the loops
// around both: the ids and turns follow from the element's number, in the same way for both.
bool Accesses::comes_before(const MemoryAccess& store, const MemoryAccess& load,
                            const StmtOrder& order) {
  if (order.number(store.stmt) >= order.number(load.stmt)) return false;
  std::vector<Atom> atoms = invocation_atoms(store.index);
  for (const StmtId loop : loops(store.place)) {
    if (std::ranges::find(loops(load.place), loop) == loops(load.place).end()) continue;
    const auto turn = turn_of(loop);
    if (!turn) return false;
    atoms.push_back(*turn);
  }
  const auto owner = digits(store, atoms);
  return owner && has_digits(load, *owner);
}

bool Accesses::overwrites(std::uint32_t buffer) {
  const StmtOrder order(state_->program);
  const auto is_kind = [&](AccessKind kind) {
    return [&, kind](const MemoryAccess& a) { return a.buffer == buffer && a.kind == kind; };
  };
  if (std::ranges::any_of(all(), is_kind(AccessKind::atomic))) return false;
  return std::ranges::any_of(all(), [&](const MemoryAccess& store) {
    if (!is_kind(AccessKind::store)(store) || !covers(store)) return false;
    return std::ranges::all_of(all(), [&](const MemoryAccess& load) {
      return !is_kind(AccessKind::load)(load) || comes_before(store, load, order);
    });
  });
}

}  // namespace vyre::bounds
