#include "primitives/tt_contract.h"

#include <algorithm>

#include "primitives/arguments.h"
#include "primitives/fixed_point.h"

namespace vyre::primitives {
namespace {

using namespace ir;
using ir::Value;

// A slice is a run of rows of the core that one invocation adds up.
constexpr std::uint32_t kRowsOfSlice = 512;
constexpr std::uint32_t kManyColumns = 1024;
// So many terms of at most 2^48 have a sum that fits in 64 bits.
constexpr std::uint32_t kMostPlainTerms = 65536;

struct Contraction {
  std::uint32_t r_prev;
  std::uint32_t r_next;

  std::uint32_t slices() const {
    if (r_next >= kManyColumns || r_prev < 2 * kRowsOfSlice) return 1;
    // The second launch can add up this many sums without an overflow.
    return std::min((r_prev - 1) / kRowsOfSlice + 1, kMostPlainTerms);
  }
  std::uint32_t rows_of_slice() const { return (r_prev - 1) / slices() + 1; }
};

// The ranks are shapes, so that one compiled kernel serves all of them.
struct ContractOperands {
  Value r_prev, r_next;
  Array acc, core;

  explicit ContractOperands(Builder& b)
      : r_prev(b.shape("r_prev")),
        r_next(b.shape("r_next")),
        acc(b.read(u32, "acc_in", r_prev)),
        core(b.read(u32, "core", r_prev * r_next)) {}

  // The sum over rows [from, below) of one column, saturated to 32 bits. Terms are never negative,
  // so a sum may be held at any value above 2^32 without a change of the result.
  Value sum_rows(Builder& b, const Value& column, const Operand& from, const Operand& below) const {
    auto sum = b.var(u64, "sum", 0);
    b.for_("a", from, below, [&](const Value& a) {
      const Value term = q16_term(kQ16, acc[a], core[a * r_next + column]);
      sum = min(sum + term, std::uint64_t{1} << 62U);
    });
    return q16_stored(kQ16, sum);
  }
};

Expected<Program> contract() {
  return build("tt_contract", [](Builder& b) {
    const ContractOperands x(b);
    const Array out = b.write(u32, "acc_out", x.r_next);
    b.workgroup(kWorkgroup);
    auto column = b.let("column", b.global_id());
    b.if_(column < x.r_next, [&] { out[column] = x.sum_rows(b, column, 0, x.r_prev); });
  });
}

// One invocation per slice and column. Each sum saturates by itself; if one does, so does the
// total.
Expected<Program> contract_slices() {
  return build("tt_contract_slices", [](Builder& b) {
    const ContractOperands x(b);
    const Value slices = b.shape("slices");
    const Value rows = b.shape("rows");
    const Array partial = b.write(u32, "partial", slices * x.r_next);
    b.workgroup(kWorkgroup);
    // This step has a grid of its own: the caller's is for the result.
    b.grid((slices * x.r_next + (kWorkgroup - 1)) / kWorkgroup);
    auto g = b.let("g", b.global_id());
    b.if_(g < slices * x.r_next, [&] {
      auto from = b.let("from", g / x.r_next * rows);
      auto below = b.let("below", min(from + rows, x.r_prev));
      partial[g] = x.sum_rows(b, b.let("column", g % x.r_next), from, below);
    });
  });
}

Expected<Program> add_slices() {
  return build("tt_contract_total", [](Builder& b) {
    const Value slices = b.shape("slices");
    const Value r_next = b.shape("r_next");
    const Array partial = b.read(u32, "partial", slices * r_next);
    const Array out = b.write(u32, "acc_out", r_next);
    b.workgroup(kWorkgroup);
    auto column = b.let("column", b.global_id());
    b.if_(column < r_next, [&] {
      auto sum = b.var(u64, "sum", 0);
      b.for_("k", 0, slices,
             [&](const Value& k) { sum += cast(u64, partial[k * r_next + column]); });
      out[column] = q16_stored(kQ16, sum);
    });
  });
}

}  // namespace

void build_tt_contract(SequenceBuilder& s, std::uint32_t r_prev, std::uint32_t r_next) {
  const Contraction c{r_prev, r_next};
  auto acc = s.read(u32, "acc_in", c.r_prev);
  auto core = s.read(u32, "core", c.r_prev * c.r_next);
  auto out = s.write(u32, "acc_out", c.r_next);
  if (c.slices() == 1) {
    s.run(contract(), {acc, core, out}, {c.r_prev, c.r_next});
    return;
  }
  auto partial = s.scratch(u32, "partial", c.slices() * c.r_next);
  s.run(contract_slices(), {acc, core, partial},
        {c.r_prev, c.r_next, c.slices(), c.rows_of_slice()});
  s.run(add_slices(), {partial, out}, {c.slices(), c.r_next});
}

}  // namespace vyre::primitives
