#include "search/natural/ensemble.h"

#include <algorithm>
#include <cmath>

#include "search/known.h"

namespace vyre::natural {
namespace {

constexpr std::size_t kLeastMembers = 6;
constexpr std::size_t kModelRows = 360;  // members times observations, about
constexpr double kStepsMin = 4;
constexpr double kStepsMax = 12;
constexpr double kFlopsPerChain = 1e6;
// The likelihood of a half is known only at the places where its chains happen to be, so a
// difference counts half.
constexpr double kLikelihoodUnit = 2;
constexpr double kOff = 5;  // log length of a coordinate that is not seen

// The number of steps that the time for a refit allows: each step factorises a matrix of n x n.
int steps_for(std::size_t observations) {
  const auto n = static_cast<double>(observations);
  return static_cast<int>(
      std::clamp(kFlopsPerChain / (n * n * n / 6 + 20 * n * n), kStepsMin, kStepsMax));
}

}  // namespace

Ensemble::Ensemble(const Encoding& encoding, std::size_t siblings)
    : prior_(encoding, siblings),
      chains_(kMostMembers, prior_.mean),
      covariance_(encoding, siblings),
      is_divisibility_(prior_.mean.size(), 0),
      log_likelihood_(kMostMembers, 0) {
  std::size_t i = 0;
  for (const Group& g : encoding.groups()) {
    for (const Coordinate& c : g.coordinates) is_divisibility_[i++] = c.is_divisibility ? 1 : 0;
  }
  for (std::size_t k = 0; k < kMostMembers; ++k) {
    for (i = 0; i < is_divisibility_.size(); ++i) {
      if (is_fixed(i, view(k))) chains_[k][i] = kOff;
    }
  }
}

double Ensemble::weight(std::size_t member, std::size_t members) const {
  std::array<double, 2> sum{};
  std::array<double, 2> count{};
  for (std::size_t k = 0; k < members; ++k) {
    sum[k % 2] += log_likelihood_[k];
    count[k % 2] += 1;
  }
  const std::size_t mine = member % 2;
  const double ahead = sum[mine] / count[mine] - sum[1 - mine] / count[1 - mine];
  return 1 / (1 + std::exp(-ahead / kLikelihoodUnit)) / count[mine];
}

std::size_t Ensemble::members(std::size_t observations) {
  return std::clamp(kModelRows / std::max<std::size_t>(1, observations), kLeastMembers,
                    kMostMembers);
}

void Ensemble::refit(const Observed& observed, const TargetsByView& targets,
                     std::mt19937_64& generator) {
  const int steps = steps_for(observed.size());
  for (std::size_t k = 0; k < members(observed.size()); ++k) {
    walk(k, observed, targets[k % 2], steps, generator);
  }
}

// A step moves one to three hyperparameters far, and sometimes all of them a little.
Theta Ensemble::propose(const Theta& from, View view, std::mt19937_64& generator) const {
  Theta out = from;
  const auto move = [&](std::size_t i, double share) {
    if (!is_fixed(i, view)) out[i] += share * prior_.deviation[i] * normal(generator);
  };
  if (unit(generator) < 0.2) {
    for (std::size_t i = 0; i < out.size(); ++i) move(i, 0.25);
    return out;
  }
  for (std::uint64_t moves = 1 + below(generator, 3); moves > 0; --moves) {
    move(below(generator, out.size()), 1);
  }
  return out;
}

void Ensemble::walk(std::size_t member, const Observed& observed, const Eigen::VectorXd& targets,
                    int steps, std::mt19937_64& generator) {
  Theta& chain = chains_[member];
  double here = log_posterior(covariance_, prior_, chain, observed, targets);
  for (int step = 0; step < steps; ++step) {
    Theta next = propose(chain, view(member), generator);
    const double there = log_posterior(covariance_, prior_, next, observed, targets);
    if (std::log(1 - unit(generator)) >= there - here) continue;
    chain = std::move(next);
    here = there;
  }
  log_likelihood_[member] = here - prior_.log_density(chain);
}

}  // namespace vyre::natural
