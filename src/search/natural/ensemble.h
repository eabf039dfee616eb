// Ensemble: hyperparameters as a handful of Markov chains on their posterior, carried on from one
// refit to the next.
//
// With ten measurements the best-fitting hyperparameters are an accident, and acting on them sends
// whole searches into a wrong corner; averaging over chains is what makes the first twenty
// evaluations reliable. There are more members while measurements are few, and so cheap to fit.

#pragma once

#include <random>
#include <vector>

#include "search/natural/surrogate.h"

namespace vyre::natural {

class Ensemble {
 public:
  static constexpr std::size_t kMostMembers = 10;

  Ensemble(const Encoding& encoding, std::size_t siblings);

  // How many members count with so many observations.
  static std::size_t members(std::size_t observations);

  const Theta& operator[](std::size_t member) const { return chains_[member]; }

  // Takes some steps of every chain that counts.
  void refit(const Observed& observed, const Eigen::VectorXd& targets, std::mt19937_64& generator);

 private:
  Theta propose(const Theta& from, std::mt19937_64& generator) const;
  void walk(Theta& chain, const Observed& observed, const Eigen::VectorXd& targets, int steps,
            std::mt19937_64& generator);

  Prior prior_;
  std::vector<Theta> chains_;
  Kernel kernel_;
};

}  // namespace vyre::natural
