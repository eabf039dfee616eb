// The devices that tests of numbers run on: one list, so that a new backend joins all of them.

#pragma once

#include <string>
#include <vector>

#include "vyre/call.h"

namespace vyre::testing {

// Selectors for open_device: the interpreter, and every other device that opens here and computes.
std::vector<std::string> every_device();

// A dispatcher per device, opened once per process: compiling is slow on some. Aborts if the device
// does not open, which every_device has tried.
Dispatcher& dispatcher_on(const std::string& device);

}  // namespace vyre::testing
