// Tally: the snapshot that follows from the ballots of all ranks.
//
// A pure function of the ballots. Of the decisions for one key that nobody vetoes, the first in
// this order is in the snapshot:
//   1. made under the identity of more ranks,
//   2. made over the space that more ranks have declared for the program (of several with equally
//      many, the one with the smallest digest), or no rank has declared one,
//   3. made under the identity with the smallest id, of those with equally many ranks,
//   4. the greatest in the order of merging (decisions/evidence.h).

#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "runtime/ballot.h"

namespace vyre {

struct Tally {
  std::vector<CacheEntry> decisions = {};  // ascending by key, one for each
  std::set<Veto> vetoes = {};              // of all ranks
  std::vector<Wish> wishes = {};           // ascending by key, then identity
  bool was_divided = false;
  Hash digest = {};  // of decisions and vetoes
};

// `mine` must be among the ballots. The error is that of the first rank with a mistake, so it is
// the same on all ranks.
Expected<Tally> tally(std::span<const std::string> ballots, std::string_view mine,
                      const AgreeOptions& options);

}  // namespace vyre
