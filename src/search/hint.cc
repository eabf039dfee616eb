#include "vyre/substrate/search.h"

namespace vyre {

Hint hint_of(const space::Space& space, const recording::Recording& sibling) {
  Hint out;
  Config config;
  for (const recording::Row& row : sibling.rows) {
    if (!row.time_ms) continue;
    for (std::size_t p = 0; p < sibling.parameters.size(); ++p) {
      config.set(sibling.parameters[p].name, sibling.parameters[p].values[row.point[p]]);
    }
    if (const auto index = space.find(config)) out.times.push_back({*index, *row.time_ms});
  }
  return out;
}

}  // namespace vyre
