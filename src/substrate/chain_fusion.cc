#include "vyre/substrate/chain_fusion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "substrate/counters.h"
#include "substrate/device_call.h"
#include "substrate/exact_product.h"
#include "vyre/substrate/primitives.h"

namespace vyre::substrate {
namespace {

using Ranks = std::span<const std::uint64_t>;

std::uint64_t links_of(Ranks ranks) {
  return ranks.size() - static_cast<std::uint64_t>(std::ranges::count(ranks, 0U));
}

// Refuses chains that are too large for u32 or for memory. Allocates nothing.
Expected<void> check_chain(Ranks ranks) {
  std::uint64_t product = 1;
  std::uint64_t before = 1;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    const std::uint64_t rank = ranks[k];
    if (rank == 0) continue;
    if (rank > kMostPressure || product * rank > kMostPressure) {
      return bad_inputs(
          "the product of the ranks up to rank {} ({}) is beyond {}; shard the chain "
          "or lower ranks",
          k, rank, kMostPressure);
    }
    if (before * rank > kMostCoreCells) {
      return bad_inputs(
          "the core of ranks {} and {} before rank {} has more than {} cells; shard "
          "the chain or lower ranks",
          before, rank, k + 1, kMostCoreCells);
    }
    product *= rank;
    before = rank;
  }
  return {};
}

// The place of the pair's program: where it is, a free place, or that of the pair that was not used
// for the longest time.
LinkProgram& place_for(ChainScratch& scratch, std::uint32_t r_prev, std::uint32_t r_next) {
  auto& programs = scratch.programs;
  const auto same = std::ranges::find_if(programs, [=](const LinkProgram& p) {
    return p.program && p.r_prev == r_prev && p.r_next == r_next;
  });
  if (same != programs.end()) return *same;
  if (programs.size() < kMostLinkPrograms) return programs.emplace_back();
  return *std::ranges::min_element(programs, {}, &LinkProgram::used_at);
}

Expected<const ir::Sequence*> program_for(ChainScratch& scratch, std::uint32_t r_prev,
                                          std::uint32_t r_next) {
  LinkProgram& link = place_for(scratch, r_prev, r_next);
  if (!link.program || link.r_prev != r_prev || link.r_next != r_next) {
    VYRE_TRY(link.program, primitives::tt_contract_step(r_prev, r_next));
    link.r_prev = r_prev;
    link.r_next = r_next;
  }
  link.used_at = ++scratch.contractions;
  return &*link.program;
}

// Replaces acc by its contraction with a core of ones, which has r_next elements.
Expected<void> contract(Dispatcher& dispatcher, std::uint32_t r_next, ChainScratch& scratch) {
  const auto r_prev = static_cast<std::uint32_t>(scratch.acc.size());
  const std::size_t cells = std::size_t{r_prev} * r_next;
  VYRE_TRY(const ir::Sequence* program, program_for(scratch, r_prev, r_next));
  if (scratch.core.size() < cells) scratch.core.resize(cells, kOne);
  const std::array<Input, 2> inputs{std::as_bytes(std::span(scratch.acc)),
                                    std::as_bytes(std::span(scratch.core).first(cells))};
  VYRE_TRY_VOID(
      dispatcher.dispatch(*program, {.inputs = inputs, .grid = grid_for(r_next)}, scratch.outputs));
  VYRE_TRY_VOID(take_output(scratch.outputs, 0, r_next, "contraction", scratch.next));
  std::swap(scratch.acc, scratch.next);
  return {};
}

Expected<double> pressure(Dispatcher& dispatcher, Ranks ranks, ChainScratch& scratch) {
  VYRE_TRY_VOID(check_chain(ranks));
  if (ranks.empty()) return 0;
  if (links_of(ranks) == 0) return 1;
  scratch.acc.assign(1, 1);
  for (const std::uint64_t rank : ranks) {
    if (rank == 0) continue;
    VYRE_TRY_VOID(contract(dispatcher, static_cast<std::uint32_t>(rank), scratch));
  }
  VYRE_TRY_VOID(contract(dispatcher, 1, scratch));
  return scratch.acc[0];
}

// The answer where it needs no product: no ranks, or a threshold that every product is above or
// below.
std::optional<bool> decide_plainly(Ranks ranks, double threshold) {
  if (ranks.empty() || std::isnan(threshold) || threshold <= 0) return false;
  if (std::isinf(threshold)) return true;
  if (links_of(ranks) == 0) return threshold >= 1;
  return std::nullopt;
}

}  // namespace

Expected<double> fusion_pressure_via(Dispatcher& dispatcher, Ranks ranks, ChainScratch& scratch) {
  count(Module::tensor_train_chain_fusion);
  return pressure(dispatcher, ranks, scratch);
}

Expected<double> fusion_pressure_via(Dispatcher& dispatcher, Ranks ranks) {
  ChainScratch scratch;
  return fusion_pressure_via(dispatcher, ranks, scratch);
}

bool should_fuse_chain(Ranks ranks, double threshold) {
  if (const auto plain = decide_plainly(ranks, threshold)) return *plain;
  std::vector<std::uint64_t> limbs;
  return product_is_at_most_power(ranks, threshold, links_of(ranks), limbs);
}

Expected<bool> should_fuse_chain_via(Dispatcher& dispatcher, Ranks ranks, double threshold,
                                     ChainScratch& scratch) {
  count(Module::tensor_train_chain_fusion);
  VYRE_TRY(const double found, pressure(dispatcher, ranks, scratch));
  if (const auto plain = decide_plainly(ranks, threshold)) return *plain;
  const std::array<std::uint64_t, 1> product{static_cast<std::uint64_t>(found)};
  return product_is_at_most_power(product, threshold, links_of(ranks), scratch.limbs);
}

Expected<bool> should_fuse_chain_via(Dispatcher& dispatcher, Ranks ranks, double threshold) {
  ChainScratch scratch;
  return should_fuse_chain_via(dispatcher, ranks, threshold, scratch);
}

}  // namespace vyre::substrate
