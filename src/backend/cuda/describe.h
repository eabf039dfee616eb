// What a driver says of its devices.

#pragma once

#include <memory>
#include <vector>

#include "backend/cuda/context.h"

namespace vyre::backend::cuda {

// Starts the driver and counts its devices. `backend`: it has none, or does not start.
Expected<int> start(const Driver& driver);

// The device of an application's context: its number is its handle, in both interfaces. bad_inputs:
// the context is not alive.
Expected<int> device_of(const Driver& driver, DriverContext context);

struct Described {
  DeviceInfo info;
  DeviceFacts facts;
};
// backend: no compiler makes code for the device that the driver loads.
Expected<Described> describe(const Driver& driver, const Compilers& compilers, int ordinal);

}  // namespace vyre::backend::cuda
