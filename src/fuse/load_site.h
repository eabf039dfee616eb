// LoadSite: a place where a consumer loads an element that it could compute.

#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

#include "bounds/accesses.h"
#include "fuse/producer.h"
#include "fuse/refusal.h"
#include "vyre/program.h"

namespace vyre::fuse {

struct LoadSite {
  ir::ExprId load = ir::kNone;
  const bounds::MemoryAccess* access = nullptr;  // null: the load is never reached
  bool is_inside = false;                        // proved
  // It stands in a value of a `select`, so proofs hold only where that value is chosen.
  bool is_in_arm = false;
  bool is_shared = false;  // another load of the buffer has the same index
};

// The loads of a buffer, in the order of the expressions.
std::vector<LoadSite> find_sites(const ir::Program& consumer, std::uint32_t buffer,
                                 bounds::Accesses& accesses);

// How often the consumer loads an element of the buffer on average, at most: the branches of an
// `if` exclude each other, so only the one with more loads counts. None if no bound is known.
std::optional<std::uint64_t> loads_per_element(const ir::Program& consumer, std::uint32_t buffer,
                                               const std::vector<LoadSite>& sites,
                                               bounds::Accesses& accesses);

// Loads of the buffer that together are evaluated exactly once for each of its elements: one load,
// or two in opposite branches of an `if`. Empty if none are proved to be.
std::vector<ir::ExprId> visiting_loads(const ir::Program& consumer,
                                       const std::vector<LoadSite>& sites,
                                       bounds::Accesses& accesses);

}  // namespace vyre::fuse
