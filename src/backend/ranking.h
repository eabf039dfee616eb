// Which of two devices is the better one to run on, and whether both are one piece of hardware;
// devices in that order.

#pragma once

#include <span>

#include "vyre/device.h"

namespace vyre::backend {

// By what a device is, not by its numbers: a strict weak order, in which many are equal.
bool is_better(const DeviceInfo& a, const DeviceInfo& b);

// Whether no device of any backend could be better.
bool is_of_the_best_kind(const DeviceInfo& device);

// Whether two interfaces show one piece of hardware: they know it by the same UUID or PCI address.
// The devices that one implementation lists are always different ones.
bool is_same_hardware(const DeviceInfo& a, const DeviceInfo& b);

// list_devices of these backends only.
DeviceList list_devices_of(std::span<const Backend> backends, const DeviceOptions& options);

}  // namespace vyre::backend
