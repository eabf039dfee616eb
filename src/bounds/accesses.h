// Accesses: all loads, stores and atomics of a program as polynomials, for every launch at once.
//
// Indices are polynomials over atoms: ids, loop turns, symbols. Tunables are unknown like all other
// symbols: a tunable lies in the range of its declared values, or between 1 and
// Assumptions::most_tunable. The workgroup is what Program::workgroup says, and where the program
// declares a grid, `groups` is that expression. So what is proved here holds for every
// configuration and every size, as long as the assumptions do.
//
// At each statement and each access the facts that hold there are kept, so that questions can be
// asked after the walk. "No" always means that nothing was proved. The program must be valid, have
// a body, and outlive the object.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bounds/facts.h"
#include "bounds/order.h"
#include "bounds/poly.h"
#include "bounds/radix.h"
#include "vyre/program.h"

namespace vyre::bounds {

// What the proofs take for granted beyond what dispatch checks. Without these limits,
// `i = global_id(0) * items + k` might wrap in a launch over nearly 2^32 elements.
struct Assumptions {
  Int most_length = Int{1} << 31U;   // elements of a bound buffer
  Int most_tunable = Int{1} << 15U;  // of an integer tunable whose values are not declared
  // By symbol: its value if it is known; empty: none is. Known tunables are taken as they are.
  std::span<const std::optional<std::uint64_t>> symbols{};
  // Grid and workgroup, if they are known; none: the program's expressions.
  std::optional<std::array<std::uint32_t, 3>> groups{};
  std::optional<std::array<std::uint32_t, 3>> workgroup{};
  // Variables that are taken as atoms of their own, whatever their value is made of. Each must be a
  // `let` of an integer that is never assigned.
  std::vector<std::uint32_t> opaque{};
};

enum class AccessKind : std::uint8_t { load, store, atomic };

struct MemoryAccess {
  AccessKind kind = AccessKind::load;
  std::uint32_t buffer = 0;
  std::uint32_t width = 1;      // elements
  ir::ExprId load = ir::kNone;  // the node of a load
  ir::StmtId stmt = ir::kNone;  // the statement that it belongs to
  ir::ExprId index_expr = ir::kNone;
  Poly index{};  // in units of `width` elements; maybe unknown
  std::uint32_t place = 0;
};

enum class AtomKind : std::uint8_t {
  symbol,    // index: of Program::symbols
  id,        // index: as Expr::index of an id; global_id, local_id, group_id or groups
  turn,      // index: the `for` statement; its variable is begin + step * turn
  variable,  // index: an opaque variable
  other,     // a quotient, a loaded value, ...
};

struct AtomInfo {
  AtomKind kind = AtomKind::other;
  std::uint32_t index = 0;
  // The same for all invocations and turns of a launch: made of symbols and sizes only.
  bool is_uniform = false;
};

// How the owner of an element is found from its number e: the atom is (e mod the outer stride) /
// stride, outermost first. With a stride of 0 the atom is 0, whatever e is: those come first.
struct Digit {
  Atom atom = 0;
  Poly stride{};
  bool operator==(const Digit&) const = default;
};

struct AccessState;

class Accesses {
 public:
  explicit Accesses(const ir::Program& program, const Assumptions& assumptions = {});
  ~Accesses();
  Accesses(Accesses&&) noexcept;
  Accesses& operator=(Accesses&&) noexcept;

  // In the order in which the program runs.
  const std::vector<MemoryAccess>& all() const;
  const MemoryAccess* find_load(ir::ExprId load) const;  // null if it is never reached
  const MemoryAccess* find_stmt(ir::StmtId stmt) const;  // a store or an atomic

  // The value of an expression that is an integer scalar; unknown for any other, and for
  // statements behind a `return`, which are never reached.
  const Poly& value(ir::ExprId expr) const;
  const Poly& variable(std::uint32_t variable) const;  // a `let` that is never assigned
  const Poly& length(std::uint32_t buffer) const;
  Poly symbol(std::string_view name) const;  // unknown if there is none
  Poly id(ir::IdKind kind, std::uint32_t axis) const;
  AtomInfo atom(Atom atom) const;
  std::optional<Atom> turn_of(ir::StmtId loop) const;
  bool is_uniform(const Poly& p) const;  // made of uniform atoms only
  // The atoms for a / b, if the program has that quotient of these values.
  std::optional<Poly> quotient(const Poly& a, const Poly& b) const;
  // The two values of which the atom is the smaller one, if it is.
  std::optional<std::pair<Poly, Poly>> operands_of_min(Atom atom) const;
  // A sum, difference, product or negation of integers that is proved not to wrap; a division by
  // something that is not 0.
  bool is_plain(ir::ExprId expr) const;

  // --- Places: where the facts of conditions and loops are those of a statement or an access. ---

  // The place in front of a statement; none if it is never reached.
  std::optional<std::uint32_t> place_of(ir::StmtId stmt) const;
  // Facts that hold there, of conditions and loops around it.
  std::span<const Poly> guards(std::uint32_t place) const;
  // Whether a place is reached by exactly those (ids, turns) for which all guards are >= 0.
  bool is_certain(std::uint32_t place) const;
  // `for` statements around it, outermost first.
  std::span<const ir::StmtId> loops(std::uint32_t place) const;

  // A place inside the same loops as `like` where these guards are all that is known, beside the
  // facts of the launch. It is certain if `like` is.
  std::uint32_t add_place(std::uint32_t like, std::vector<Poly> guards);

  bool holds(std::uint32_t place, const Poly& not_negative);
  bool equal(std::uint32_t place, const Poly& a, const Poly& b);

  // --- Proofs about all invocations of a launch and all turns of the loops around a place. ---

  // Every number from 0 to `count` - 1 is a value of `number` where the place is reached.
  bool covers(std::uint32_t place, const Poly& number, const Poly& count);
  // The same for all combinations of numbers, one of each axis.
  bool covers(std::uint32_t place, std::span<const RadixAxis> axes);
  // Pairs of a number and a size for which a guard of the place says number < size. The number
  // differs between invocations or turns, the size does not.
  std::vector<RadixAxis> bounded(std::uint32_t place) const;
  // The global id of each axis of the launch that has more than one invocation, with their count.
  std::vector<RadixAxis> launch_axes() const;
  // No two different (invocation, turns) that reach the place have the same `number`.
  bool is_injective(std::uint32_t place, const Poly& number);
  // The same for the combination of numbers, one of each axis. Counts do not matter.
  bool is_injective(std::uint32_t place, std::span<const RadixAxis> axes);
  // The given atoms (uniformly for the launch) follow from `number`; none if that is not proved.
  // Two accesses with the same digits for their element numbers touch the same element only where
  // those atoms are the same.
  std::optional<std::vector<Digit>> digits(std::uint32_t place, const Poly& number,
                                           std::span<const Atom> atoms);
  bool has_digits(std::uint32_t place, const Poly& number, std::span<const Digit> digits);

  // The same for accesses: elements inside the buffer. A vector access touches `width` elements.
  bool is_inside(const MemoryAccess& access);
  bool covers(const MemoryAccess& access);
  bool is_injective(const MemoryAccess& access);
  bool has_digits(const MemoryAccess& access, std::span<const Digit> digits);
  std::optional<std::vector<Digit>> digits(const MemoryAccess& access, std::span<const Atom> atoms);

  // The atoms that tell invocations apart in this polynomial: on each axis the global id if the
  // polynomial has it, else local and group id; none for an axis of one invocation.
  std::vector<Atom> invocation_atoms(const Poly& number) const;

  // Whether some launch of the program stores every element of the buffer, with a plain store that
  // no condition on data can prevent.
  bool covers_buffer(std::uint32_t buffer);
  // Whether nobody can see what the buffer held before the launch: every element is stored, and
  // each load comes behind the store to its element in the same invocation.
  bool overwrites(std::uint32_t buffer);

 private:
  // The same as `bounded`, and the workgroup's number on each axis.
  std::vector<RadixAxis> bounded_or_group(std::uint32_t place) const;
  bool comes_before(const MemoryAccess& store, const MemoryAccess& load, const StmtOrder& order);

  std::shared_ptr<AccessState> state_;  // perhaps of several (analysis_cache.h)
};

}  // namespace vyre::bounds
