// The first configurations of a search that knows nothing yet.

#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "search/natural/candidates.h"

namespace vyre::natural {

// Central rather than spread out: the corners of a space of launch sizes are its slow and failing
// ends. Each next point is the one that brings a sample of the space nearest to the chosen ones
// (greedy k-median), which covers every region by its weight; `given` ones
// and then the siblings' favourites come first and count as chosen. Taken among the configurations
// without odd factors, where there are enough of those.
std::vector<std::uint64_t> starting_points(const space::Space& space, const Features& features,
                                           std::vector<std::uint64_t> given, Draw& draw);

}  // namespace vyre::natural
