// The output of `vyre tune` at its end.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vyre/tune.h"

namespace vyre::cli {

struct Tuned {
  vyre::Problem problem;
  vyre::CampaignReport report;
  std::string key = {};  // of the decision; empty: it is not kept
  std::string why_not_kept = {};
  std::optional<Error> unsaved = {};  // why it is not on disk

  bool is_cut() const { return report.stopped == vyre::StopReason::asked; }
};

// Whether the result is faster than the default by more than the noise.
bool is_better(const vyre::CampaignReport& report);

std::string ms_text(double ns);
std::string table_of(const std::vector<Tuned>& all);
std::string json_of(const std::vector<Tuned>& all);

// A metric whose expression cannot be evaluated is an error before anything is tuned.
Expected<void> check_metrics(const vyre::Problem& problem);

}  // namespace vyre::cli
