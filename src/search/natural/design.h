// The first configurations of a search that knows nothing yet.

#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "search/natural/candidates.h"

namespace vyre::natural {

// The points are central rather than spread out, because the corners of a space of launch sizes are
// its slow and failing ends. Each next point is the one that brings a sample of the space nearest
// to the chosen points (greedy k-median), so every region is covered by its weight. `given` points
// come first, then the siblings' favourites; both count as chosen. The first three others have no
// odd factors, where there are enough such configurations.
std::vector<std::uint64_t> starting_points(const space::Space& space, const Features& features,
                                           std::vector<std::uint64_t> given, EndlessDraw& draw);

}  // namespace vyre::natural
