#include <algorithm>

#include "vyre/substrate/workgroup.h"

namespace vyre {

std::vector<Extent> candidates_for(std::uint32_t most_items) {
  std::vector<Extent> out;
  for (std::uint32_t x = 32; x <= 1024 && x <= most_items; x *= 2) out.push_back({x, 1, 1});
  return out;
}

Extent default_workgroup_size(const DeviceLimits& limits) {
  std::uint32_t x = 64;
  while (x > 1 && x > std::min(limits.workgroup_items, limits.workgroup_size[0])) x /= 2;
  return {x, 1, 1};
}

}  // namespace vyre
