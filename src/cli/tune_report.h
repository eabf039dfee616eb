// What `vyre tune` says when it is done.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vyre/campaign.h"

namespace vyre::cli {

struct Tuned {
  tuner::Problem problem;
  tuner::CampaignReport report;
  std::string key = {};  // of the decision; empty: it is not kept
  std::string why_not_kept = {};
  std::optional<Error> unsaved = {};  // why it is not on disk

  bool is_cut() const { return report.stopped == tuner::StopReason::asked; }
};

// Faster than the default by more than the noise.
bool is_better(const tuner::CampaignReport& report);

std::string ms_text(double ns);
std::string table_of(const std::vector<Tuned>& all);
std::string json_of(const std::vector<Tuned>& all);

// A metric whose expression cannot be evaluated is an error before anything is tuned.
Expected<void> check_metrics(const tuner::Problem& problem);

}  // namespace vyre::cli
