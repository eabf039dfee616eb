#include <array>

#include "base/error.h"
#include "primitives/arguments.h"
#include "primitives/fixed_point.h"
#include "vyre/builder.h"
#include "vyre/substrate/primitives.h"

namespace vyre::primitives {
namespace {

using namespace ir;
using ir::Value;

// From here on an invocation takes four rows, so that each element of the vector is loaded once for
// four products. Below, rows are too few to leave invocations idle.
constexpr std::uint32_t kFewRows = 1024;
constexpr std::uint32_t kRowsTogether = 4;

struct Product {
  Fixed fixed;
  Value n;
  Array m, grad, out;

  // n terms of at most 2^48 each, n below 2^16: no step can overflow.
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

// A workgroup still has 256 rows, which a quarter of its invocations share: as many workgroups as
// the caller's grid has are busy, however many cores there are.
void apply_rows_together(Builder& b, const Product& product) {
  const Value lane = b.local_id();
  // The limit is beyond every matrix: it shows that nothing wraps.
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
    const Product product{fixed, n, m, grad, out};
    if (together) {
      apply_rows_together(b, product);
    } else {
      const Value g = b.let("g", b.global_id());
      b.if_(g < n, [&] { product.one_row(b, g); });
    }
  });
}

Expected<Sequence> block_apply(std::string_view name, std::uint32_t n, const Fixed& fixed) {
  VYRE_TRY_VOID(check_elements(name, "n * n", std::uint64_t{n} * std::uint64_t{n}));
  return build_sequence(name, [&](SequenceBuilder& s) {
    auto m = s.read(fixed.narrow, "m", n * n);
    auto grad = s.read(fixed.narrow, "grad", n);
    auto out = s.write(fixed.narrow, "out", n);
    s.run(rows_program("block_apply_rows", n >= kFewRows, fixed), {m, grad, out}, {n});
  });
}

}  // namespace

Expected<Sequence> natural_gradient_block_apply(std::uint32_t n) {
  return block_apply("natural_gradient_block_apply", n, kQ16);
}

Expected<Sequence> natural_gradient_block_apply_signed(std::uint32_t n) {
  return block_apply("natural_gradient_block_apply_signed", n, kQ16s);
}

}  // namespace vyre::primitives
