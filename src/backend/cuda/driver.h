// The interface of a GPU's driver, CUDA's or HIP's, as a table of functions found at run time.
//
// Neither a header nor a library of theirs is needed to build. Handles are pointers and device
// addresses 64 bits wide in both, so one set of types serves.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vyre::backend::cuda {

using DriverContext = struct DriverContextObject*;
using DriverModule = struct DriverModuleObject*;
using DriverFunction = struct DriverFunctionObject*;
using DriverStream = struct DriverStreamObject*;
using DriverEvent = struct DriverEventObject*;
using DriverPointer = std::uint64_t;

struct DriverUuid {
  std::array<unsigned char, 16> bytes;
};

// A member is null where the driver lacks the function.
struct DriverFunctions {
#define VYRE_DRIVER_FUNCTION(member, cuda, hip, parameters) int(*member) parameters = nullptr;
#include "backend/cuda/driver_functions.def"
#undef VYRE_DRIVER_FUNCTION
};

}  // namespace vyre::backend::cuda
