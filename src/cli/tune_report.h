// The output of `vyre tune` at its end.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/host_speed.h"
#include "vyre/tune.h"

namespace vyre::cli {

struct TunedKernel {
  Problem problem;
  Tuned tuned;
  DeviceInfo device = {};
  // What the machine itself does: for bundled kernels that were tuned on its processor.
  std::optional<HostSpeed> host = {};
};

// Whether something faster than the default was found, that is, chosen. This is the one rule for
// table, JSON and exit code, and the cache keeps what was chosen: so none contradicts another.
bool is_better(const CampaignReport& report);

std::string ms_text(double ns);
// "0.546 ms  block=32, items=8", or the kind of the failure instead of the time, and why it failed.
std::string tried_text(const Problem& problem, const Tried& tried);
std::string table_of(const std::vector<TunedKernel>& all);
std::string json_of(const std::vector<TunedKernel>& all);

// A metric whose expression cannot be evaluated is an error before anything is tuned.
Expected<void> check_metrics(const Problem& problem);

}  // namespace vyre::cli
