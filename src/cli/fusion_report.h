// What `vyre fuse FILE` shows: which steps of a sequence can be joined, how, and why not.

#pragma once

#include <string>

#include "vyre/fuse.h"

namespace vyre::cli {

struct FusionReport {
  const ir::Sequence& original;
  const fuse::Widened& widened;
  double milliseconds = 0;         // what the analysis took
  std::vector<double> gains = {};  // predicted, by interval; empty: not known
  std::string predicted_for = {};  // which device; or why nothing is predicted
};

std::string fusion_text(const FusionReport& report);
std::string fusion_json(const FusionReport& report);

}  // namespace vyre::cli
