// Rates: how fast a device moves bytes, computes and launches, measured once with small programs.
//
// The roofline predicts with these numbers. They are kept in a file per device, with the identity
// of the device, so that a new driver is measured anew.

#pragma once

#include <memory>

#include "vyre/config.h"
#include "vyre/device.h"

namespace vyre::fuse {

struct Rates {
  double bytes_per_ns = 0;
  double operations_per_ns = 0;  // as Work counts them
  double launch_ns = 0;          // what a kernel takes that does nothing

  bool operator==(const Rates&) const = default;
};

// Runs three small programs, each a few times, and takes the best: less than a second.
Expected<Rates> measure_rates(const std::shared_ptr<Device>& device);

// What the file says of this device and driver, else what is measured now, which the file then
// says. A file that cannot be read is left alone; the rates are then measured every time.
Expected<Rates> rates_of(const std::shared_ptr<Device>& device, const Files& files);

}  // namespace vyre::fuse
