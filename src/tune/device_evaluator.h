// DeviceEvaluator: an evaluator that runs candidates on a device, in this process (in_process.h) or
// in workers (worker/workers.h).

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "vyre/config.h"
#include "vyre/device.h"
#include "vyre/space.h"
#include "vyre/substrate/search.h"

namespace vyre {

// The values of a configuration that work is about, by its number. A node learns them with the work
// and has no space.
using ConfigOf = std::function<Config(std::uint64_t index)>;

inline ConfigOf configs_of(const space::Space& space) {
  return [space](std::uint64_t index) { return space.config_at(index); };
}

class DeviceEvaluator : public Evaluator {
 public:
  // What the compiler made of a configuration that was admitted: one per step of the problem's
  // sequence. Told by the process that compiles candidates: two compilers in one process may not
  // get along (docs/backends.md, "Pitfalls"). Gives up what is under way. Empty where the device
  // does not tell, or it cannot be found out now.
  virtual std::vector<KernelFacts> facts(std::uint64_t index) = 0;
};

}  // namespace vyre
