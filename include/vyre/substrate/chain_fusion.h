// Whether a chain of regions should be fused, told by the sizes of the buffers between them.
//
// A chain R1..Rn+1 has n bond ranks: the element count of the buffer between R_i and R_i+1. A rank
// of 0 is a link that carries no data: it is left out. The pressure is the product of the others;
// the chain fuses while their geometric mean is at most a threshold.
//
// Errors, scratch and threads as in vyre/substrate.h.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/substrate/pick.h"

namespace vyre::substrate {

inline constexpr std::uint64_t kMostPressure = 0xffffffffU;   // product of the ranks
inline constexpr std::uint64_t kMostCoreCells = 1ULL << 20U;  // of two neighbouring ranks

struct ChainScratch {
  std::vector<ProgramScratch> programs;  // n: the rank before, k: the rank after
  std::vector<std::uint32_t> core;
  std::vector<std::uint32_t> acc;
  std::vector<std::uint32_t> next;  // swaps with acc
};

// Contracts unit cores along the chain with tt_contract_step. No ranks give 0, only zeros give 1.
// A product beyond 2^32 - 1, or a core beyond 2^20 cells, is bad_inputs, before anything is
// allocated.
Expected<double> fusion_pressure_via(Dispatcher& dispatcher, std::span<const std::uint64_t> ranks);
Expected<double> fusion_pressure_via(Dispatcher& dispatcher, std::span<const std::uint64_t> ranks,
                                     ChainScratch& scratch);

// Whether the product of the k ranks above 0 is at most threshold^k, exactly. No ranks: no; only
// zeros: whether threshold is at least 1; a threshold that is NaN or not above 0: no; infinity:
// yes. On the host.
bool should_fuse_chain(std::span<const std::uint64_t> ranks, double threshold);

// The same of the pressure that the device found: agrees wherever fusion_pressure_via accepts.
Expected<bool> should_fuse_chain_via(Dispatcher& dispatcher, std::span<const std::uint64_t> ranks,
                                     double threshold);
Expected<bool> should_fuse_chain_via(Dispatcher& dispatcher, std::span<const std::uint64_t> ranks,
                                     double threshold, ChainScratch& scratch);

}  // namespace vyre::substrate
