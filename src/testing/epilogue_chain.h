// A chain of two steps that join as an epilogue. Its comments mark the places at which tests change
// it.

#pragma once

#include <string>

namespace vyre::testing {

inline const std::string kEpilogueChain = R"(program first {
  shape n: u32
  tunable items: u32 = 2u
  read a: f32[n]
  write t: f32[n]
  local seen: f32[4u]
  // first declares
  workgroup [4u]
  grid [(n + 4u * items - 1u) / (4u * items)]

  seen[local_id(0)] = 1f
  barrier
  for k: u32 in 0u .. items {
    let i: u32 = global_id(0) * items + k
    if i < n {
      // first stores
      t[i] = a[i] * seen[3u - local_id(0)]
    }
  }
}
program second {
  shape n: u32
  read t: f32[n]
  read w: f32[n]
  write y: f32[n]
  // second declares
  let j: u32 = global_id(0)
  if j < n {
    // second stores
    y[j] = t[j] + w[j]
  }
}
sequence s {
  shape n: u32
  read a: f32[n]
  read w: f32[n]
  scratch t: f32[n]
  write y: f32[n]
  // sequence declares
  run first(a, t)
  run second(t, w, y)
}
)";

}  // namespace vyre::testing
