// The original's tuner: workgroup sizes to try, the policies that choose between them, and the size
// by key. Plain values and pure functions, but for those that say otherwise.
//
// The natural-gradient policy works in Q16 (vyre/substrate/pick.h). Elapsed times are whole
// nanoseconds.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/decisions.h"
#include "vyre/device.h"
#include "vyre/error.h"
#include "vyre/program.h"
#include "vyre/substrate/natural_gradient.h"

namespace vyre {

// Whether results are the same with every workgroup size: one program that declares no grid, has no
// tunables, barriers, atomics or local memory, and asks for nothing but its global id on axis 0.
bool has_free_workgroup(const ir::Sequence& sequence);

// --- Workgroup sizes to try. ---

// 32, 64, ... 1024, those that fit, ascending; possibly none.
std::vector<Extent> candidates_for(std::uint32_t most_items);

// [64,1,1], or the largest power of two that the device allows.
Extent default_workgroup_size(const DeviceLimits& limits);

// --- Best of N. ---

class BackendTimer {
 public:
  virtual ~BackendTimer() = default;
  // Whatever error it returns reaches the caller unchanged.
  virtual Expected<std::uint64_t> measure_candidate_ns(const ir::Sequence& program,
                                                       const Extent& workgroup_size) = 0;
};

struct Measurement {
  Extent workgroup_size{1, 1, 1};
  std::uint64_t elapsed_ns = 0;

  bool operator==(const Measurement&) const = default;
};

struct FailedCandidate {
  std::size_t index = 0;
  Error error = {};
};

enum class OnFailure : std::uint8_t {
  skip,  // go on; the first error is returned only if all fail
  stop,  // return the first error and measure nothing after it
};

struct Sweep {
  std::optional<Measurement> best = {};  // none: there were no candidates
  std::vector<FailedCandidate> failed = {};
};

// Measures in order; strictly less wins, so the first of equals stays.
Expected<Sweep> best_of(BackendTimer& timer, const ir::Sequence& program,
                        std::span<const Extent> candidates, OnFailure on_failure = OnFailure::skip);

// --- The natural-gradient policy. ---

// `code` of every error that the policy itself makes; a timer's error keeps its own.
inline constexpr std::string_view kPolicyError = "policy";

struct NaturalStep {
  std::size_t selected = 0;  // the next probe: largest natural gradient, the first of equals
  std::size_t best = 0;      // the decision: first of the least elapsed
  std::uint64_t best_elapsed_ns = 0;
  std::vector<std::uint32_t> weights_q16 = {};  // sum to ONE
  std::vector<std::uint32_t> natural_gradient_q16 = {};
  std::vector<std::size_t> measured = {};  // index of the candidate behind each of the above
};

// max(1, best / 10): a temperature that fits kernels of any length.
std::uint64_t relative_temperature_ns(std::uint64_t best_elapsed_ns);

// Weights exp(-(elapsed - best) / temperature), normalised, under `metric_q16`, n x n row by row.
// No temperature: relative to the best. No measurements, a temperature of 0 and a metric of another
// size are errors, checked in that order.
Expected<NaturalStep> natural_gradient_step(
    std::span<const std::uint64_t> elapsed_ns, std::span<const std::uint32_t> metric_q16,
    std::optional<std::uint64_t> temperature_ns = std::nullopt);

// The metric of no knowledge: ONE on the diagonal.
using substrate::identity_fisher_q16;

struct NaturalSweep {
  NaturalStep step = {};  // indices are into the candidates
  Measurement best = {};
  std::vector<FailedCandidate> failed = {};
};

// Measures all candidates, then takes the step; rows and columns of failed ones are struck from
// the metric. No metric: the identity.
Expected<NaturalSweep> best_of_natural_gradient(
    BackendTimer& timer, const ir::Sequence& program, std::span<const Extent> candidates,
    std::span<const std::uint32_t> metric_q16 = {},
    std::optional<std::uint64_t> temperature_ns = std::nullopt,
    OnFailure on_failure = OnFailure::skip);

// --- The same policy with a metric that is estimated, not assumed. ---

struct NaturalSearchOptions {
  std::uint32_t budget = 0;    // measurements; 0: 16 per candidate
  double temperature = 0.1;    // of the policy, relative: candidates 10 % apart weigh 1 to e
  double damping = 0.05;       // lambda of the Fisher block, times the number of candidates
  double certainty = 2;        // standard errors between the best and the rest
  double indifference = 0.01;  // what is surely closer to the best than this is a tie
};

struct CandidateEvidence {
  std::vector<std::uint64_t> samples_ns = {};
  double elapsed_ns = 0;      // median
  double relative_error = 0;  // standard error of the above, as a fraction
};

struct NaturalSearch {
  std::size_t best = 0;       // least elapsed, the first of equals; among ties the first candidate
  std::size_t runner_up = 0;  // the next best; `best` if there is no other
  std::uint32_t measurements = 0;
  std::uint32_t ties = 1;   // candidates that are no further than `indifference`, the best included
  bool is_certain = false;  // false: the budget came first
  std::vector<CandidateEvidence> candidates = {};
  std::vector<FailedCandidate> failed = {};
};

// Measures every candidate twice, then again and again the one with the largest natural gradient:
// where the policy expects most and the samples say least. Metric and gradient are computed on the
// dispatcher's device. Until the best is certain, or the budget is spent. Deterministic for what
// the timer says. Fails if all candidates fail, or with the dispatcher's error.
Expected<NaturalSearch> natural_search(Dispatcher& dispatcher, BackendTimer& timer,
                                       const ir::Sequence& program,
                                       std::span<const Extent> candidates,
                                       const NaturalSearchOptions& options = {});

// --- Resizing while running. ---

struct TunerFeedback {
  std::map<std::string, std::uint64_t> op_counts = {};
  std::uint64_t wall_time_us = 0;
  std::uint64_t idle_us = 0;
  std::uint32_t observed_workgroup_size_x = 0;
  double observed_throughput_per_us = 0;  // elements
};

struct ResizePolicy {
  std::uint32_t adapter_max = 1024;
  std::uint32_t minimum = 32;
  double saturation_per_us = 1.0;
  std::uint64_t idle_shrink_us = 100'000;

  // Half when idle too long, double when below saturation, else nothing. Never 0. Remembers
  // nothing, so it may go back and forth for ever: see SteadyResize.
  std::optional<std::uint32_t> suggest(const TunerFeedback& feedback) const;
};

// ResizePolicy with hysteresis. A size that was suggested is waited for; one that was measured
// is suggested again only where it did better than the present one by `gain`. So it settles: every
// size is tried once at most until the work itself changes.
class SteadyResize {
 public:
  explicit SteadyResize(ResizePolicy policy = {}, double gain = 0.05)
      : policy_(policy), gain_(gain) {}

  std::optional<std::uint32_t> suggest(const TunerFeedback& feedback);

 private:
  void remember(std::uint32_t size, double throughput);
  std::optional<std::uint32_t> better_than(std::uint32_t size) const;

  ResizePolicy policy_;
  double gain_;
  std::optional<std::uint32_t> awaited_;
  std::map<std::uint32_t, double> throughput_;  // the last one seen at each size
};

// --- Sizes by key. ---

// Workgroup sizes by key, as the original's tuner kept them.
class Tuner {
 public:
  Tuner(CacheOptions cache, Mode mode, const DeviceLimits& limits)
      : cache_(DecisionCache::open(std::move(cache))), mode_(mode), limits_(limits) {}

  Mode mode() const { return mode_; }
  std::vector<Extent> candidates() const { return candidates_for(limits_.workgroup_items); }
  // What is remembered, else the default; never tunes.
  Extent resolve(const Key& key) const;
  // In memory only.
  Offer record_decision(const V1Shape& shape, const Extent& size);
  Offer record_key_decision(const Key& key, const Extent& size);
  Expected<void> persist() { return cache_.save(); }
  DecisionCache& cache() { return cache_; }

 private:
  DecisionCache cache_;
  Mode mode_;
  DeviceLimits limits_;
};

}  // namespace vyre
