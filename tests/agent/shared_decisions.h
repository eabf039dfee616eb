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

// 144 configurations that keep the interpreter busy for much longer than the tests.
inline constexpr const char* kSlow = R"(
program slow {
  shape n: u32 = 4096u
  tunable block: u32 = 1u in 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 15u, 16u
  tunable turns: u32 = 600u in 600u, 601u, 602u, 603u, 604u, 605u, 606u, 607u, 608u
  write y: u32[n]
  workgroup [block]
  grid [(n + block - 1u) / block]

  let i: u32 = global_id(0)
  var s: u32 = 0u
  for k: u32 in 0u .. turns {
    s = s + min(k, 1u) * 0u
  }
  if i < n {
    y[i] = s + i
  }
}
)";

// The cache of an application on a machine whose agent writes into `fleet_folder`.
inline CacheOptions fleet_cache(const std::filesystem::path& fleet_folder) {
  return {.adapter = "gpu", .fleet_folder = fleet_folder, .identity = today()};
}

}  // namespace vyre::testing
