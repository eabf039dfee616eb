// Costs: what evaluating a configuration is expected to take, from the costs told so far.
//
// A Gaussian process on the logarithm of the seconds, additive over the parameters: compile and run
// times grow by factors, and which value of which parameter is dear shows after a few results. What
// nothing was told about is drawn to the mean. Since the process is additive, its prediction is a
// sum of one table entry per parameter, so predicting thousands of configurations costs little.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vyre/substrate/search.h"

namespace vyre {

class Costs {
 public:
  explicit Costs(const space::Space& space) : space_(space) {}

  // Results that do not say what they cost are ignored.
  void tell(std::uint64_t index, const Result& result);

  // None until a cost was told.
  std::optional<double> seconds(std::uint64_t index) const;
  // The logarithm of the same; 0 until a cost was told.
  double log_seconds(space::PointView point) const;
  bool are_known() const { return !logs_.empty(); }

 private:
  double alike(std::size_t parameter, std::uint32_t a, std::uint32_t b) const;
  double covariance(space::PointView a, space::PointView b) const;
  void append(space::PointView point);
  void fill_tables();

  const space::Space& space_;
  std::vector<space::Point> points_;
  std::vector<double> logs_;
  std::vector<std::vector<double>> lower_;  // rows of the Cholesky factor of the covariance
  double mean_ = 0;
  std::vector<std::vector<double>> effects_;  // per parameter and value
};

}  // namespace vyre
