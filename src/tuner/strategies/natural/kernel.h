// Kernel: how much the times of two configurations have in common.
//
// k = (1 - a) * Matern(distance) + a * mean over groups of Matern(distance in that group) + 1.
// In the logarithm of time most effects add up over the parameters, and an additive part learns
// from one observation something about every configuration that shares a value with it; the joint
// part carries the interactions. How much of each is learnt (a), as are the length scales.
//
// A group has few codes, so its part of a distance is a table, and a row over thousands of
// candidates is look-ups and one exponential each.

#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tuner/strategies/natural/encoding.h"

namespace vyre::tuner::natural {

// Codes of many configurations, by group: columns[g][i].
using Columns = std::vector<std::vector<Code>>;

// Hyperparameters, all unbounded: log length per coordinate, log noise, logit of the additive
// share.
using Theta = std::vector<double>;

class Kernel {
 public:
  explicit Kernel(const Encoding& encoding);

  // Tables of groups whose lengths did not change are kept.
  void set(const Theta& theta);

  double noise() const { return noise_; }
  double variance() const { return 2; }  // k(x, x)
  double operator()(std::span<const Code> x, std::span<const Code> y) const;

  // k(x, c) for the first out.size() candidates c of `columns`.
  void row(std::span<const Code> x, const Columns& columns, Eigen::Ref<Eigen::ArrayXf> out) const;

 private:
  void fill_tables(std::size_t group, std::span<const double> log_lengths);

  const Encoding& encoding_;
  Theta theta_;
  double noise_ = 0;
  float additive_ = 0;
  std::vector<std::vector<float>> squares_;  // per group: squared distance by pair of codes
  std::vector<std::vector<float>> parts_;    // per group: its share of the additive part
};

}  // namespace vyre::tuner::natural
