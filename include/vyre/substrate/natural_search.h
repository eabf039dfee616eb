// The natural-gradient policy with a metric that is estimated from the measurements.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vyre/call.h"
#include "vyre/substrate/best_of.h"

namespace vyre {

struct NaturalSearchOptions {
  std::uint32_t budget = 0;    // measurements; 0: 16 per candidate
  double temperature = 0.1;    // of the policy, relative: candidates 10 % apart weigh 1 to e
  double damping = 0.05;       // lambda of the Fisher block, times the number of candidates
  double certainty = 2;        // standard errors between the best and the rest
  double indifference = 0.01;  // a candidate that is surely nearer to the best than this is tied
};

struct CandidateEvidence {
  std::vector<std::uint64_t> samples_ns = {};
  double elapsed_ns = 0;      // median
  double relative_error = 0;  // standard error of the median, as a fraction of it
};

struct NaturalSearch {
  std::size_t best = 0;       // least elapsed; among ties the first candidate
  std::size_t runner_up = 0;  // the next best; `best` if there is no other
  std::uint32_t measurements = 0;
  std::uint32_t ties = 1;   // candidates within `indifference` of the best, itself included
  bool is_certain = false;  // false: the budget was spent first
  std::vector<CandidateEvidence> candidates = {};
  std::vector<FailedCandidate> failed = {};
};

// Measures every candidate twice. Then it measures the candidate with the largest natural gradient,
// again and again: the gradient is large where the policy expects a fast candidate and few samples
// were taken. The search ends when the best is certain or the budget is spent. Metric and gradient
// are computed on the dispatcher's device. The same answers of the timer give the same search.
// Fails if all candidates fail, or with the dispatcher's error.
Expected<NaturalSearch> natural_search(Dispatcher& dispatcher, BackendTimer& timer,
                                       const ir::Sequence& program,
                                       std::span<const Extent> candidates,
                                       const NaturalSearchOptions& options = {});

}  // namespace vyre
