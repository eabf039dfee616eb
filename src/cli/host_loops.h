// The bundled kernels as plain loops of the host, on all its cores with OpenMP: what somebody who
// does not use a device would write. They are compiled for the newest instructions that this
// processor has.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vyre::cli {

// One way to do a bundled kernel's work, on data of its own.
using HostLoop = std::function<void()>;

// Ways that differ in tiles or schedule; the fastest one counts. Empty: there is none for this
// kernel, or the command was built without OpenMP.
std::vector<HostLoop> host_loops(std::string_view kernel,
                                 const std::map<std::string, double>& sizes);

}  // namespace vyre::cli
