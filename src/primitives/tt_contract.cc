#include <algorithm>

#include "base/error.h"
#include "primitives/arguments.h"
#include "primitives/fixed_point.h"
#include "vyre/builder.h"
#include "vyre/primitives.h"

namespace vyre::primitives {
namespace {

using namespace ir;
using ir::Value;

// A slice is a run of rows of the core that one invocation adds up: with few columns and many rows,
// columns alone would leave the device idle.
constexpr std::uint32_t kRowsOfSlice = 512;
constexpr std::uint32_t kManyColumns = 1024;
// Terms of at most 2^48 whose sum fits in 64 bits whatever they are.
constexpr std::uint32_t kMostPlainTerms = 65536;

struct Contraction {
  std::uint32_t r_prev;
  std::uint32_t r_next;

  std::uint32_t slices() const {
    if (r_next >= kManyColumns || r_prev < 2 * kRowsOfSlice) return 1;
    // As many sums as the next step can add up without an overflow.
    return std::min((r_prev - 1) / kRowsOfSlice + 1, kMostPlainTerms);
  }
  std::uint32_t rows_of_slice() const { return (r_prev - 1) / slices() + 1; }
};

// The sum over rows [from, below) of column `column`. All terms are positive, so a sum that is held
// at any value above 2^32 gives the same saturated result.
void sum_rows(Builder& b, const Contraction& c, const Array& acc, const Array& core,
              const Value& column, const Operand& from, const Operand& below, Var& sum) {
  b.for_("a", from, below, [&](const Value& a) {
    const Value term = q16_term(kQ16, acc[a], core[a * c.r_next + column]);
    if (c.rows_of_slice() <= kMostPlainTerms) {
      sum += term;
    } else {
      sum = min(sum + term, std::uint64_t{1} << 62U);
    }
  });
}

Expected<Program> contract(const Contraction& c) {
  return build("tt_contract_step", [&c](Builder& b) {
    const Array acc = b.read(u32, "acc_in", c.r_prev);
    const Array core = b.read(u32, "core", c.r_prev * c.r_next);
    const Array out = b.write(u32, "acc_out", c.r_next);
    b.workgroup(kWorkgroup);
    auto column = b.let("column", b.global_id());
    b.if_(column < c.r_next, [&] {
      auto sum = b.var(u64, "sum", 0);
      sum_rows(b, c, acc, core, column, 0, c.r_prev, sum);
      out[column] = q16_stored(kQ16, sum);
    });
  });
}

// One invocation per slice and column; each sum saturates by itself, which cannot change the total.
Expected<Program> contract_slices(const Contraction& c) {
  return build("tt_contract_slices", [&c](Builder& b) {
    const std::uint32_t sums = c.slices() * c.r_next;
    const Array acc = b.read(u32, "acc_in", c.r_prev);
    const Array core = b.read(u32, "core", c.r_prev * c.r_next);
    const Array partial = b.write(u32, "partial", sums);
    b.workgroup(kWorkgroup);
    b.grid((sums - 1) / kWorkgroup + 1);  // whatever grid a caller gives for the result
    auto g = b.let("g", b.global_id());
    b.if_(g < sums, [&] {
      auto from = b.let("from", g / c.r_next * c.rows_of_slice());
      auto below = b.let("below", min(from + c.rows_of_slice(), c.r_prev));
      auto sum = b.var(u64, "sum", 0);
      sum_rows(b, c, acc, core, b.let("column", g % c.r_next), from, below, sum);
      partial[g] = q16_stored(kQ16, sum);
    });
  });
}

Expected<Program> add_slices(const Contraction& c) {
  return build("tt_contract_total", [&c](Builder& b) {
    const Array partial = b.read(u32, "partial", c.slices() * c.r_next);
    const Array out = b.write(u32, "acc_out", c.r_next);
    b.workgroup(kWorkgroup);
    auto column = b.let("column", b.global_id());
    b.if_(column < c.r_next, [&] {
      auto sum = b.var(u64, "sum", 0);
      b.for_("k", 0, c.slices(),
             [&](const Value& k) { sum += cast(u64, partial[k * c.r_next + column]); });
      out[column] = q16_stored(kQ16, sum);
    });
  });
}

}  // namespace

Expected<Sequence> tt_contract_step(std::uint32_t r_prev, std::uint32_t r_next) {
  VYRE_TRY_VOID(check_elements("tt_contract_step", "r_prev", r_prev));
  VYRE_TRY_VOID(check_elements("tt_contract_step", "r_next", r_next));
  VYRE_TRY_VOID(check_elements("tt_contract_step", "r_prev * r_next",
                               std::uint64_t{r_prev} * std::uint64_t{r_next}));
  const Contraction c{r_prev, r_next};
  if (c.slices() == 1) {
    VYRE_TRY(Program program, contract(c));
    return Sequence::make(std::move(program));
  }
  return build_sequence("tt_contract_step", [&c](SequenceBuilder& s) {
    auto acc = s.read(u32, "acc_in", c.r_prev);
    auto core = s.read(u32, "core", c.r_prev * c.r_next);
    auto out = s.write(u32, "acc_out", c.r_next);
    auto partial = s.scratch(u32, "partial", c.slices() * c.r_next);
    s.run(contract_slices(c), {acc, core, partial});
    s.run(add_slices(c), {partial, out});
  });
}

}  // namespace vyre::primitives
