#include "search/natural/ensemble.h"

#include <algorithm>
#include <cmath>

#include "search/known.h"

namespace vyre::natural {
namespace {

constexpr std::size_t kLeastMembers = 4;
constexpr std::size_t kModelRows = 240;  // members times observations, about
constexpr double kStepsMin = 4;
constexpr double kStepsMax = 12;
constexpr double kFlopsPerChain = 1e6;

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
      covariance_(encoding, siblings) {}

std::size_t Ensemble::members(std::size_t observations) {
  return std::clamp(kModelRows / std::max<std::size_t>(1, observations), kLeastMembers,
                    kMostMembers);
}

void Ensemble::refit(const Observed& observed, const Eigen::VectorXd& targets,
                     std::mt19937_64& generator) {
  const int steps = steps_for(observed.size());
  for (std::size_t k = 0; k < members(observed.size()); ++k) {
    walk(chains_[k], observed, targets, steps, generator);
  }
}

// A step moves one to three hyperparameters far, and sometimes all of them a little.
Theta Ensemble::propose(const Theta& from, std::mt19937_64& generator) const {
  Theta out = from;
  if (unit(generator) < 0.2) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] += 0.25 * prior_.deviation[i] * normal(generator);
    }
    return out;
  }
  for (std::uint64_t moves = 1 + below(generator, 3); moves > 0; --moves) {
    const std::size_t i = below(generator, out.size());
    out[i] += prior_.deviation[i] * normal(generator);
  }
  return out;
}

void Ensemble::walk(Theta& chain, const Observed& observed, const Eigen::VectorXd& targets,
                    int steps, std::mt19937_64& generator) {
  double here = log_posterior(covariance_, prior_, chain, observed, targets);
  for (int step = 0; step < steps; ++step) {
    Theta next = propose(chain, generator);
    const double there = log_posterior(covariance_, prior_, next, observed, targets);
    if (std::log(1 - unit(generator)) >= there - here) continue;
    chain = std::move(next);
    here = there;
  }
}

}  // namespace vyre::natural
