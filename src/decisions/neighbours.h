// Serving a shape that was never tuned from the decisions of its neighbours.
//
// What each decision knows of another's configuration is little: it is its own, its runner-up, or
// slower than that. It is enough to prefer a configuration that does well at several neighbours to
// one that is best at the nearest by a hair, and to see where none does: there, somebody should
// tune.
//
// Pure functions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "vyre/decisions.h"

namespace vyre {

// How many neighbours are heard.
inline constexpr std::size_t kNeighbours = 3;

// Sum of the ratios, as logarithms: twice as large is as far as half as large. Shapes of the same
// length.
double distance_between(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

struct Served {
  std::size_t chosen = 0;  // of the neighbours
  std::string doubt = {};  // why this shape should be tuned, for people; empty: it need not be
};

// `neighbours`: decisions for other shapes of the same length, nearest first, at least one.
Served serve_from(std::span<const std::uint64_t> shape, std::span<const Decision> neighbours);

}  // namespace vyre
