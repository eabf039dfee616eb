#include "primitives/matvec.h"

#include <array>

#include "primitives/arguments.h"

namespace vyre::primitives {
namespace {

using namespace ir;
using ir::Value;

// From this many rows on an invocation takes four. With fewer rows, invocations would be idle.
constexpr std::uint32_t kFewRows = 1024;
constexpr std::uint32_t kRowsTogether = 4;

struct RowProduct {
  Fixed fixed;
  Value n;
  Array m, grad, out;

  // The sum of n terms of at most 2^48 each, with n below 2^16, cannot overflow.
  void one_row(Builder& b, const Value& i) const {
    auto sum = b.var(fixed.wide, "sum", 0);
    b.for_("j", 0, n, [&](const Value& j) { sum += q16_term(fixed, m[i * n + j], grad[j]); });
    out[i] = q16_stored(fixed, sum);
  }

  void four_rows(Builder& b, const Value& i) const {
    std::array<Var, kRowsTogether> sums{b.var(fixed.wide, "sum0", 0), b.var(fixed.wide, "sum1", 0),
                                        b.var(fixed.wide, "sum2", 0), b.var(fixed.wide, "sum3", 0)};
    b.for_("j", 0, n, [&](const Value& j) {
      auto x = b.let("x", grad[j]);
      for (std::uint32_t r = 0; r < kRowsTogether; ++r) {
        sums[r] += q16_term(fixed, m[(i + r) * n + j], x);
      }
    });
    for (std::uint32_t r = 0; r < kRowsTogether; ++r) out[i + r] = q16_stored(fixed, sums[r]);
  }
};

// A workgroup still has 256 rows, which a quarter of its invocations share. So the caller's grid
// stays right, and every workgroup in it has work.
void apply_rows_together(Builder& b, const RowProduct& product) {
  const Value lane = b.local_id();
  // The limit is beyond every matrix. It lets the bounds analysis prove that nothing wraps.
  auto i = b.let("i", min(b.group_id(), 0xffff) * kWorkgroup + lane * kRowsTogether);
  b.if_(lane < kWorkgroup / kRowsTogether, [&] {
    b.if_(
        i + (kRowsTogether - 1) < product.n, [&] { product.four_rows(b, i); },
        [&] {
          b.for_("r", 0, kRowsTogether - 1, [&](const Value& r) {
            auto row = b.let("row", i + r);
            b.if_(row < product.n, [&] { product.one_row(b, row); });
          });
        });
  });
}

// n is a shape, so that one compiled kernel serves all sizes.
Expected<Program> rows_program(std::string_view name, bool together, const Fixed& fixed) {
  return build(name, [&](Builder& b) {
    const Value n = b.shape("n");
    const Array m = b.read(fixed.narrow, "m", n * n);
    const Array grad = b.read(fixed.narrow, "grad", n);
    const Array out = b.write(fixed.narrow, "out", n);
    b.workgroup(kWorkgroup);
    const RowProduct product{fixed, n, m, grad, out};
    if (together) {
      apply_rows_together(b, product);
    } else {
      const Value g = b.let("g", b.global_id());
      b.if_(g < n, [&] { product.one_row(b, g); });
    }
  });
}

}  // namespace

void build_matvec(SequenceBuilder& s, std::uint32_t n, const Fixed& fixed) {
  auto m = s.read(fixed.narrow, "m", n * n);
  auto grad = s.read(fixed.narrow, "grad", n);
  auto out = s.write(fixed.narrow, "out", n);
  s.run(rows_program("block_apply_rows", n >= kFewRows, fixed), {m, grad, out}, {n});
}

}  // namespace vyre::primitives
