// link_kernel: a function of a module and all that it calls, ready to run.

#pragma once

#include <map>
#include <memory>

#include "fake_cuda/driver/instruction.h"
#include "fake_cuda/driver/result.h"

namespace fake_cuda {

using Addresses = std::map<const Variable*, std::uint64_t>;

// `globals` has the addresses of the module's .global and .const variables. Shared variables get
// their places here: each kernel has only those that it or its callees name, and memory whose size
// the launch gives follows them.
Result<std::unique_ptr<Kernel>> link_kernel(const Module& module, const Function& entry,
                                            const Addresses& globals);

}  // namespace fake_cuda
