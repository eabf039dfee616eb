// Ensemble: hyperparameters as a handful of Markov chains on their posterior, which go on from one
// refit to the next.
//
// With ten measurements the best-fitting hyperparameters are an accident, and acting on them sends
// whole searches into a wrong corner. Averaging over chains makes the first twenty evaluations
// reliable. While measurements are few, a fit is cheap, so the ensemble has more members.
//
// Every second member does not see divisibility: neither the coordinates for it nor the expectation
// that odd factors are slow. Where sizes act by their powers of two, the first half predicts far
// better; where they do not, the second half does. The members of a half weigh as much as it
// explains the measurements, so a wrong expectation is overruled after a few of them.

#pragma once

#include <array>
#include <random>
#include <vector>

#include "search/natural/surrogate.h"

namespace vyre::natural {

using TargetsByView = std::array<Eigen::VectorXd, 2>;

class Ensemble {
 public:
  static constexpr std::size_t kMostMembers = 10;

  Ensemble(const Encoding& encoding, std::size_t siblings);

  // The number of members in use with so many observations.
  static std::size_t members(std::size_t observations);

  const Theta& operator[](std::size_t member) const { return chains_[member]; }

  static View view(std::size_t member) {
    return member % 2 == 0 ? View::divisibility : View::plain;
  }

  // Takes some steps of every chain in use. `targets` by view.
  void refit(const Observed& observed, const TargetsByView& targets, std::mt19937_64& generator);

  // Of a member among so many, after a refit; they add up to 1.
  double weight(std::size_t member, std::size_t members) const;

 private:
  Theta propose(const Theta& from, View view, std::mt19937_64& generator) const;
  void walk(std::size_t member, const Observed& observed, const Eigen::VectorXd& targets, int steps,
            std::mt19937_64& generator);
  bool is_fixed(std::size_t i, View view) const {
    return view == View::plain && is_divisibility_[i] != 0;
  }

  Prior prior_;
  std::vector<Theta> chains_;
  Covariance covariance_;
  std::vector<char> is_divisibility_;   // per hyperparameter
  std::vector<double> log_likelihood_;  // per chain, at its last refit
};

}  // namespace vyre::natural
