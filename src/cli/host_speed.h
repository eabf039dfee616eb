// How fast this machine does the work of a bundled kernel without vyre: OpenBLAS where it is
// installed, else plain loops on all cores. It answers what a gain over an untuned kernel leaves
// open: whether the tuned one is any good.
//
// Takes a fraction of a second and all cores, so nothing else may be measured meanwhile.

#pragma once

#include <optional>
#include <string>

#include "vyre/problem.h"

namespace vyre::cli {

struct HostSpeed {
  double ns = 0;     // median of some runs, of the fastest variant
  std::string by{};  // "OpenBLAS", "OpenMP"

  bool operator==(const HostSpeed&) const = default;
};

// Nothing, if there is no such code for the kernel of that name, or if its data are so large that
// a second copy could be too much for the machine.
std::optional<HostSpeed> measure_host(const Problem& problem);

}  // namespace vyre::cli
