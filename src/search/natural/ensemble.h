// Ensemble: hyperparameters as a handful of Markov chains on their posterior, which go on from one
// refit to the next.
//
// With ten measurements the best-fitting hyperparameters are an accident, and acting on them sends
// whole searches into a wrong corner. Averaging over chains makes the first twenty evaluations
// reliable. While measurements are few, a fit is cheap, so the ensemble has more members.

#pragma once

#include <random>
#include <vector>

#include "search/natural/surrogate.h"

namespace vyre::natural {

class Ensemble {
 public:
  static constexpr std::size_t kMostMembers = 10;

  Ensemble(const Encoding& encoding, std::size_t siblings);

  // The number of members in use with so many observations.
  static std::size_t members(std::size_t observations);

  const Theta& operator[](std::size_t member) const { return chains_[member]; }

  // Takes some steps of every chain in use.
  void refit(const Observed& observed, const Eigen::VectorXd& targets, std::mt19937_64& generator);

 private:
  Theta propose(const Theta& from, std::mt19937_64& generator) const;
  void walk(Theta& chain, const Observed& observed, const Eigen::VectorXd& targets, int steps,
            std::mt19937_64& generator);

  Prior prior_;
  std::vector<Theta> chains_;
  Covariance covariance_;
};

}  // namespace vyre::natural
