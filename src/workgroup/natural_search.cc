#include "vyre/substrate/natural_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/statistics.h"
#include "vyre/substrate/natural_loop.h"
#include "vyre/substrate/natural_policy.h"

namespace vyre {
namespace {

constexpr std::uint32_t kFirstRounds = 2;     // two samples give a first idea of the noise
constexpr std::uint32_t kUsualRounds = 16;    // of budget, per candidate
constexpr double kLeastRelativeNoise = 1e-4;  // no clock is more exact
constexpr double kMedianOverMean = 1.2533;    // standard error of a median over that of a mean

// The relative spread of single measurements, each taken against the median of its candidate. It is
// pooled over all candidates: two samples of one candidate say next to nothing about the noise, but
// two samples of each of ten candidates say a good deal.
double pooled_noise(std::span<const CandidateEvidence> candidates) {
  double squares = 0;
  double freedom = 0;
  for (const CandidateEvidence& c : candidates) {
    if (c.samples_ns.size() < 2) continue;
    for (const std::uint64_t ns : c.samples_ns) {
      const double deviation = (static_cast<double>(ns) - c.elapsed_ns) / c.elapsed_ns;
      squares += deviation * deviation;
    }
    freedom += static_cast<double>(c.samples_ns.size() - 1);
  }
  return std::max(kLeastRelativeNoise, freedom > 0 ? std::sqrt(squares / freedom) : 1);
}

class NaturalSearcher {
 public:
  NaturalSearcher(Dispatcher& dispatcher, BackendTimer& timer, const ir::Sequence& program,
                  std::span<const Extent> candidates, const NaturalSearchOptions& options)
      : dispatcher_(dispatcher),
        timer_(timer),
        program_(program),
        sizes_(candidates),
        options_(options) {
    out_.candidates.resize(candidates.size());
    const auto n = static_cast<std::uint32_t>(candidates.size());
    budget_ = options.budget == 0 ? kUsualRounds * n : options.budget;
  }

  Expected<NaturalSearch> run() {
    for (std::size_t k = 0; k < sizes_.size(); ++k) alive_.push_back(k);
    for (std::uint32_t round = 0; round < kFirstRounds; ++round) {
      for (const std::size_t k : std::vector(alive_)) {
        if (out_.measurements < budget_) measure(k);
      }
    }
    std::erase_if(alive_, [this](std::size_t k) { return out_.candidates[k].samples_ns.empty(); });
    if (alive_.empty()) return nothing();
    judge();
    while (!out_.is_certain && out_.measurements < budget_ && !alive_.empty()) {
      VYRE_TRY(const std::size_t next, proposed());
      measure(next);
      if (alive_.empty()) return nothing();
      judge();
    }
    return std::move(out_);
  }

 private:
  Expected<NaturalSearch> nothing() const {
    if (!out_.failed.empty()) return std::unexpected(out_.failed.front().error);
    return fail(ErrorKind::bad_inputs, kNoMeasurements,
                "no measurements; give at least one candidate and a budget");
  }

  // A candidate that fails once is out, because a launch must not fail.
  void measure(std::size_t k) {
    ++out_.measurements;
    auto ns = timer_.measure_candidate_ns(program_, sizes_[k]);
    CandidateEvidence& candidate = out_.candidates[k];
    if (!ns) {
      out_.failed.push_back({.index = k, .error = std::move(ns).error()});
      candidate = {};
      std::erase(alive_, k);
      return;
    }
    candidate.samples_ns.push_back(std::max<std::uint64_t>(1, *ns));
    candidate.elapsed_ns = median(candidate.samples_ns);
  }

  double cost(std::size_t k) const { return std::log(out_.candidates[k].elapsed_ns); }

  std::size_t fastest() const {
    return std::ranges::min(alive_, {}, [this](std::size_t k) { return cost(k); });
  }

  // How much slower a candidate is than the fastest one, and the error of that number.
  struct Gap {
    double value = 0;
    double error = 0;
  };
  Gap gap_of(std::size_t k, std::size_t first) const {
    return {.value = cost(k) - cost(first),
            .error = options_.certainty * std::hypot(out_.candidates[k].relative_error,
                                                     out_.candidates[first].relative_error)};
  }

  // Whether more samples could still change the verdict on candidate k.
  bool is_open(std::size_t k, std::size_t first) const {
    const Gap gap = gap_of(k, first);
    return k != first && gap.value <= gap.error && gap.value + gap.error >= options_.indifference;
  }

  // Fills in the errors, the best, the runner-up, the ties, and whether they are certain.
  void judge() {
    const double noise = pooled_noise(out_.candidates);
    for (const std::size_t k : alive_) {
      CandidateEvidence& c = out_.candidates[k];
      c.relative_error =
          kMedianOverMean * noise / std::sqrt(static_cast<double>(c.samples_ns.size()));
    }
    const std::size_t first = fastest();
    out_.is_certain = std::ranges::none_of(alive_, [&](auto k) { return is_open(k, first); });
    out_.ties = 0;
    for (const std::size_t k : alive_) {
      const bool is_tie = k == first || gap_of(k, first).value < options_.indifference;
      if (is_tie && out_.ties++ == 0) out_.best = k;
    }
    out_.runner_up = out_.best;
    for (const std::size_t k : alive_) {
      const bool is_only = out_.runner_up == out_.best;
      if (k != out_.best && (is_only || cost(k) < cost(out_.runner_up))) out_.runner_up = k;
    }
  }

  // The candidate to measure next. The gradient of the expected cost under the policy
  // p = softmax(-cost / T) is p * (mean - cost). Each sample taken so far is a unit vector with the
  // policy's weight; their Fisher block is large for candidates that were measured often. Its
  // inverse therefore turns the gradient towards candidates that were measured seldom.
  Expected<std::size_t> proposed() {
    const std::size_t n = alive_.size();
    std::vector<double> costs;
    for (const std::size_t k : alive_) costs.push_back(cost(k));
    VYRE_TRY(const auto weights, substrate::pre_exp_of_costs(costs, options_.temperature));
    VYRE_TRY(const auto policy, substrate::pick_config_pre_exp_fixed_via(dispatcher_, weights));
    std::vector<float> values(n * n, 0);
    std::vector<float> counted;
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) {
      values[i * n + i] = 1;
      const auto samples = static_cast<float>(out_.candidates[alive_[i]].samples_ns.size());
      counted.push_back(samples * static_cast<float>(std::max(policy[i], 1U)));
      mean += costs[i] * policy[i] / substrate::kOne;
    }
    std::vector<double> gradient;
    for (std::size_t i = 0; i < n; ++i) {
      // A cost below the mean pulls. The temperature leaves a chance to candidates above it.
      gradient.push_back((mean - costs[i] + options_.temperature) * policy[i] / substrate::kOne);
    }
    const auto lambda = static_cast<float>(options_.damping / static_cast<double>(n));
    VYRE_TRY(const auto fisher,
             substrate::damped_fisher_via(dispatcher_,
                                          {.values = values, .weights = counted, .n = n}, lambda));
    VYRE_TRY(const auto natural, substrate::natural_gradient_via(dispatcher_, fisher, gradient));
    return least_certain(natural);
  }

  // The open candidate with the largest component. The fastest candidate counts as open while any
  // other is, because its error is part of every gap.
  std::size_t least_certain(const std::vector<double>& natural) const {
    const std::size_t first = fastest();
    std::size_t out = natural.size();
    for (std::size_t i = 0; i < natural.size(); ++i) {
      if (alive_[i] != first && !is_open(alive_[i], first)) continue;
      if (out == natural.size() || natural[i] > natural[out]) out = i;
    }
    return alive_[out];
  }

  Dispatcher& dispatcher_;
  BackendTimer& timer_;
  const ir::Sequence& program_;
  std::span<const Extent> sizes_;
  const NaturalSearchOptions& options_;
  std::uint32_t budget_ = 0;
  std::vector<std::size_t> alive_;
  NaturalSearch out_;
};

}  // namespace

Expected<NaturalSearch> natural_search(Dispatcher& dispatcher, BackendTimer& timer,
                                       const ir::Sequence& program,
                                       std::span<const Extent> candidates,
                                       const NaturalSearchOptions& options) {
  return NaturalSearcher(dispatcher, timer, program, candidates, options).run();
}

}  // namespace vyre
