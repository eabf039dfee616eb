// Covariance: how much the times of two configurations have in common.
//
// k = (1 - a) * Matern(distance) + a * mean over groups of Matern(distance in that group) + 1. In
// the logarithm of time most effects add up over the parameters. The additive part therefore learns
// from one observation something about every configuration that shares a value with it; the joint
// part carries the interactions. The share of each (a) is learnt, as are the length scales. In a
// large space a share of the additive part, learnt too, is the likeness of products of sizes.
//
// The advice of a sibling about a configuration is one more effect, linear, of unknown weight: each
// sibling adds s^2 * advice(x) * advice(y). The weight follows from the measurements; its reach (s)
// is learnt like the length scales.
//
// A group has few codes, so its part of a distance is a table, and a row over thousands of
// candidates costs look-ups and one exponential each.

#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "search/natural/traits.h"

namespace vyre::natural {

// Hyperparameters, all unbounded: log length per coordinate, log noise, logit of the additive
// share, logit of the products' share of that where there are products, log of the reach of each
// sibling's weight.
using Theta = std::vector<double>;

class Covariance {
 public:
  explicit Covariance(const Encoding& encoding, std::size_t siblings = 0);

  // Tables of groups whose lengths did not change are kept.
  void set(const Theta& theta);

  double noise() const { return noise_; }
  double variance(const Traits& x) const;  // k(x, x)
  Eigen::ArrayXf variances(const Columns& columns) const;
  double operator()(const Traits& x, const Traits& y) const;

  // k(x, c) for the first out.size() candidates c of `columns`.
  void row(const Traits& x, const Columns& columns, Eigen::Ref<Eigen::ArrayXf> out) const;

 private:
  void fill_tables(std::size_t group, std::span<const double> log_lengths);

  const Encoding& encoding_;
  std::size_t siblings_;
  Theta theta_;
  double noise_ = 0;
  float additive_ = 0;
  float by_products_ = 0;
  std::vector<float> reach_;  // per sibling: s^2
  // Of a pair of codes of one group: its squared distance, and its share of the additive part.
  struct Pair {
    float square = 0;
    float part = 0;
  };
  std::vector<std::vector<Pair>> pairs_;  // per group
};

}  // namespace vyre::natural
