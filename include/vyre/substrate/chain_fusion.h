// Whether a chain of regions should be fused, decided by the sizes of the buffers between them.
//
// A chain R1..Rn+1 has n bond ranks: rank i is the element count of the buffer between R_i and
// R_i+1. A rank of 0 means that the link carries no data, and it is left out. The pressure is the
// product of the other ranks. A chain fuses if their geometric mean is at most a threshold.
//
// Errors, scratch and threads are as in vyre/substrate/pick.h.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/substrate/pick.h"

namespace vyre::substrate {

inline constexpr std::uint64_t kMostPressure = 0xffffffffU;   // product of the ranks
inline constexpr std::uint64_t kMostCoreCells = 1ULL << 20U;  // of two neighbouring ranks

// The contraction of one pair of neighbouring ranks.
struct LinkProgram {
  std::optional<ir::Sequence> program;
  std::uint32_t r_prev = 0;
  std::uint32_t r_next = 0;
  std::uint64_t used_at = 0;  // the number of the call's contraction, for eviction
};

// Keeps the programs of at most 64 pairs of ranks, which is more than one chain can have. The pair
// that was not used for the longest time makes room for a new one.
struct ChainScratch {
  std::vector<LinkProgram> programs;
  std::uint64_t contractions = 0;  // so far
  Outputs outputs;
  std::vector<std::uint32_t> core;
  std::vector<std::uint32_t> acc;
  std::vector<std::uint32_t> next;   // swaps with acc
  std::vector<std::uint64_t> limbs;  // of the exact comparison with the threshold
};
inline constexpr std::size_t kMostLinkPrograms = 64;

// The product of the ranks above 0, found by contracting unit cores along the chain with
// tt_contract_step. No ranks give 0, only zeros give 1. A product beyond 2^32 - 1, or a core beyond
// 2^20 cells, is bad_inputs, and is refused before anything is allocated.
Expected<double> fusion_pressure_via(Dispatcher& dispatcher, std::span<const std::uint64_t> ranks);
Expected<double> fusion_pressure_via(Dispatcher& dispatcher, std::span<const std::uint64_t> ranks,
                                     ChainScratch& scratch);

// Whether the product of the k ranks above 0 is at most threshold^k, decided exactly, on the host,
// in time proportional to the number of ranks. No ranks: false. Only zeros: whether the threshold
// is at least 1. A threshold that is NaN or not above 0: false. Infinity: true.
bool should_fuse_chain(std::span<const std::uint64_t> ranks, double threshold);

// The same decision, made from the pressure that the device found. The two agree on every chain
// that fusion_pressure_via accepts.
Expected<bool> should_fuse_chain_via(Dispatcher& dispatcher, std::span<const std::uint64_t> ranks,
                                     double threshold);
Expected<bool> should_fuse_chain_via(Dispatcher& dispatcher, std::span<const std::uint64_t> ranks,
                                     double threshold, ChainScratch& scratch);

}  // namespace vyre::substrate
