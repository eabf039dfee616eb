// What `tune` found, for people: in words, as a drawing, as a page to look at. `vyre explain`,
// `vyre explain --plot` and `vyre report` show the same.
//
// Everything is returned as text. Names may hold any bytes: they are escaped.

#pragma once

#include <span>
#include <string>

#include "vyre/device.h"
#include "vyre/tune.h"

namespace vyre {

// A kernel that was tuned, and the device that it was tuned on.
struct TunedOn {
  const Tuned& tuned;
  const DeviceInfo& device;
};

// Why this configuration was chosen, on which evidence and, if it is not served from now on, why
// not: a line for the key, then one for each fact.
std::string explain(const TunedOn& what);

// The campaign's samples in order and what the race dropped when, as SVG. bad_inputs, io: there is
// no journal to draw from, or it has no samples.
Expected<std::string> draw(const Tuned& tuned);

// All of them side by side, and a chapter for each, as one HTML page that loads nothing
// (docs/report.md). Of a campaign whose journal is gone there is only the decision.
std::string report_page(std::span<const TunedOn> campaigns);

}  // namespace vyre
