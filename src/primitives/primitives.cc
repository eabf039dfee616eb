#include "vyre/substrate/primitives.h"

#include "base/error.h"
#include "primitives/arguments.h"
#include "primitives/fisher.h"
#include "primitives/inverse_sqrt.h"
#include "primitives/matvec.h"
#include "primitives/softmax.h"
#include "primitives/tt_contract.h"
#include "vyre/builder.h"

namespace vyre::primitives {
namespace {

using ir::build_sequence;
using ir::Sequence;
using ir::SequenceBuilder;

std::uint64_t cells(std::uint64_t rows, std::uint64_t columns) { return rows * columns; }

// The most rows or columns that a side of n has with its padding (primitives/product.h).
std::uint64_t padded_at_most(std::uint32_t n) { return std::uint64_t{n} + 15; }

Expected<Sequence> block_apply(std::string_view name, std::uint32_t n, const Fixed& fixed) {
  VYRE_TRY_VOID(check_elements(name, "n * n", cells(n, n)));
  return build_sequence(name, [&](SequenceBuilder& s) { build_matvec(s, n, fixed); });
}

}  // namespace

Expected<Sequence> softmax_step(std::uint32_t n) {
  constexpr std::string_view name = "softmax_step";
  VYRE_TRY_VOID(check_elements(name, "n", n));
  return build_sequence(name, [n](SequenceBuilder& s) { build_softmax(s, n); });
}

Expected<Sequence> natural_gradient_block_apply(std::uint32_t n) {
  return block_apply("natural_gradient_block_apply", n, kQ16);
}

Expected<Sequence> natural_gradient_block_apply_signed(std::uint32_t n) {
  return block_apply("natural_gradient_block_apply_signed", n, kQ16s);
}

Expected<Sequence> tt_contract_step(std::uint32_t r_prev, std::uint32_t r_next) {
  constexpr std::string_view name = "tt_contract_step";
  VYRE_TRY_VOID(check_elements(name, "r_prev", r_prev));
  VYRE_TRY_VOID(check_elements(name, "r_next", r_next));
  VYRE_TRY_VOID(check_elements(name, "r_prev * r_next", cells(r_prev, r_next)));
  return build_sequence(name, [=](SequenceBuilder& s) { build_tt_contract(s, r_prev, r_next); });
}

// The sums are done with padded matrices, so the padded sizes must fit.
Expected<Sequence> fisher_block(std::uint32_t n, std::uint32_t k) {
  constexpr std::string_view name = "fisher_block";
  VYRE_TRY_VOID(check_elements(name, "n", n));
  VYRE_TRY_VOID(check_elements(name, "k", k));
  VYRE_TRY_VOID(check_elements(name, "n * n, padded", cells(padded_at_most(n), padded_at_most(n))));
  VYRE_TRY_VOID(
      check_elements(name, "k * n, padded", cells(std::uint64_t{k} + 3, padded_at_most(n))));
  return build_sequence(name, [=](SequenceBuilder& s) { build_fisher(s, n, k); });
}

Expected<Sequence> inverse_sqrt(std::uint32_t n) {
  constexpr std::string_view name = "inverse_sqrt";
  VYRE_TRY_VOID(check_elements(name, "n", n));
  VYRE_TRY_VOID(check_elements(name, "n * n, padded", cells(padded_at_most(n), padded_at_most(n))));
  return build_sequence(name, [n](SequenceBuilder& s) { build_inverse_sqrt(s, n); });
}

}  // namespace vyre::primitives
