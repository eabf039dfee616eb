#include "backend/plan.h"
#include "vyre/substrate/workgroup.h"

namespace vyre {

std::vector<Extent> candidates_for(std::uint32_t most_items) {
  std::vector<Extent> out;
  for (std::uint32_t x = 32; x <= 1024 && x <= most_items; x *= 2) out.push_back({x, 1, 1});
  return out;
}

Extent default_workgroup_size(const DeviceLimits& limits) {
  return backend::default_workgroup_size(limits);
}

}  // namespace vyre
