// Decisions and wishes as tests of the agent exchange them.

#pragma once

#include "agent/rows.h"
#include "agent/store.h"
#include "testing/sample_decisions.h"

namespace vyre::testing {

inline agent::SharedDecision shared(std::uint64_t n, std::uint32_t samples = 10,
                                    const std::string& adapter = "gpu") {
  Decision decided = decision(static_cast<std::int64_t>(n), samples);
  return {.adapter = adapter, .identity = today(), .key = key(n), .decision = std::move(decided)};
}

inline Wish wish(std::uint64_t n) {
  return {.key = key(n),
          .identity = id_of(today()),
          .program = "saxpy",
          .fingerprint = {1, 2, 3},
          .shape = {n},
          .ranks = 1};
}

// The cache of an application on a machine whose agent writes into `fleet_folder`.
inline CacheOptions fleet_cache(const std::filesystem::path& fleet_folder) {
  return {.adapter = "gpu", .fleet_folder = fleet_folder, .identity = today()};
}

}  // namespace vyre::testing
