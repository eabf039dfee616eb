// WithOpening: a strategy that begins with a list of configurations, then asks for those that a
// function makes of their results, and then leaves the search to another strategy.
//
// The other strategy is told everything. Until the results of the list are there, ask gives nothing
// beyond the list: what follows depends on them.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "vyre/substrate/search.h"

namespace vyre {

struct Opening {
  std::vector<std::uint64_t> first = {};  // all different
  // Called once, with the results of `first` by index.
  std::function<std::vector<std::uint64_t>(const std::map<std::uint64_t, Result>& results)>
      follow_up = {};
};

// Neither is null. Indices of the opening that are outside the space must not occur.
std::unique_ptr<Strategy> with_opening(std::unique_ptr<Strategy> rest, Opening opening);

}  // namespace vyre
