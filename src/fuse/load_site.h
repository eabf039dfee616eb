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

// How often the consumer loads an element of the buffer on average, at most. None if no bound is
// known.
std::optional<std::uint64_t> loads_per_element(const ir::Program& consumer, std::uint32_t buffer,
                                               const std::vector<LoadSite>& sites,
                                               bounds::Accesses& accesses);

// Whether the consumer evaluates this load exactly once for each element of the buffer.
bool visits_each_once(const LoadSite& site, bounds::Accesses& accesses);

}  // namespace vyre::fuse
