// Serving a shape that was never tuned from the decisions of its neighbours.
//
// A decision knows little about the configuration of another: it is the same as its own, or the
// same as its runner-up, or slower than that. This is enough to prefer a configuration that does
// well at several neighbours to one that is best at the nearest by a hair. It is also enough to see
// where no configuration does well, and to advise tuning there.
//
// Pure functions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "vyre/decisions.h"

namespace vyre {

// How many neighbours take part.
inline constexpr std::size_t kNeighbours = 3;

// The sum over all sizes of |log2 of their ratio|: twice as large is as far as half as large. Both
// shapes have the same length.
double distance_between(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

struct Served {
  std::size_t chosen = 0;  // index of the neighbour
  std::string doubt = {};  // why this shape should be tuned, for people; empty: it need not be
};

// The neighbour whose configuration is expected to lose least at all of them, the nearer ones
// counting more. `neighbours` are decisions for other shapes of the same length, nearest first, at
// least one.
Served serve_from(std::span<const std::uint64_t> shape, std::span<const Decision> neighbours);

}  // namespace vyre
