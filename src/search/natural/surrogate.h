// Surrogate: a Gaussian process over the (transformed, standardised) times told so far, and its
// predictions for a set of candidates. Adding one observation takes time linear in the candidates.
//
// The overall amplitude is integrated out under an inverse-gamma prior, so it needs no search.

#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "search/natural/covariance.h"

namespace vyre::natural {

// The configurations that were measured, in both layouts.
struct Observed {
  std::vector<Traits> traits;
  Columns columns;

  std::size_t size() const { return traits.size(); }
  void add(Traits one);
};

// The prior of the hyperparameters: independent normals.
struct Prior {
  Theta mean;
  Theta deviation;

  explicit Prior(const Encoding& encoding, std::size_t siblings = 0);
  double log_density(const Theta& theta) const;
};

// Logarithm of the posterior of theta given the targets, up to a constant; -infinity where the
// covariance is not positive definite. `covariance` is scratch, and is left with theta set.
double log_posterior(Covariance& covariance, const Prior& prior, const Theta& theta,
                     const Observed& observed, const Eigen::VectorXd& targets);

class Surrogate {
 public:
  explicit Surrogate(const Encoding& encoding, std::size_t siblings = 0)
      : covariance_(encoding, siblings) {}

  // Computes everything anew, for these hyperparameters and candidates.
  void rebuild(const Theta& theta, const Observed& observed, const Columns& candidates);
  // The first `count` rows stay; later ones are forgotten.
  void keep(std::size_t count);
  // One more row: a configuration that was measured, or that is under way and has no target.
  void add(const Traits& x, const Columns& candidates);
  // Predicts from the targets of the first rows; rows without a target only narrow.
  void predict(const Eigen::VectorXd& targets);

  const Eigen::ArrayXf& mean() const { return mean_; }  // per candidate
  Eigen::ArrayXf deviation() const;                     // per candidate

 private:
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  Covariance covariance_;
  std::vector<Traits> rows_;
  Eigen::Index count_ = 0;   // of the rows
  Eigen::MatrixXd lower_;    // Cholesky factor of their covariance
  RowMajor whitened_;        // lower^-1 times their covariance with the candidates
  Eigen::ArrayXf variance_;  // of the candidates, before the amplitude
  Eigen::ArrayXf mean_;
  double amplitude_ = 1;
};

}  // namespace vyre::natural
