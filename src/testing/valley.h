// A synthetic latency surface with an elongated valley, and gradient methods that walk down it. It
// shows the worth of the closed loop of measuring, estimating the Fisher block and stepping.
//
// latency(x) = 1 + (x - x*)' H (x - x*) / 2. The eigenvalues of H are spread evenly on a log scale
// from 1 to the condition number, and its axes are turned at random. The start is where every axis
// adds as much to the latency, which is 3 there.

#pragma once

#include <cstdint>
#include <vector>

#include "vyre/substrate/natural_gradient.h"
#include "vyre/substrate/natural_loop.h"

namespace vyre::testing {

class Valley {
 public:
  static constexpr std::size_t kDimensions = 4;
  using Point = std::vector<double>;

  Valley(double condition, std::uint64_t seed);

  const Point& start() const { return start_; }
  // Every call is an evaluation, as a measurement on a device would be.
  double latency(const Point& x);
  // By forward differences: one evaluation per dimension, besides the one of `here`.
  Point gradient(const Point& x, double here);
  std::uint64_t evaluations() const { return evaluations_; }
  // Within 1 % of the minimum; costs nothing.
  bool is_there(const Point& x) const { return value(x) <= 1.01; }

 private:
  double value(const Point& x) const;

  std::vector<double> hessian_;
  Point target_;
  Point start_;
  std::uint64_t evaluations_ = 0;
};

enum class Metric { natural, whitened };

// Evaluations until the latency is within 1 % of its minimum; none if `most` did not suffice.
// Plain gradient descent with one step size throughout.
std::uint64_t walk_plain(Valley valley, double step_size, std::uint64_t most);

// Plain gradient descent, its step size found anew on every step by the same line search that the
// preconditioned walks use.
std::uint64_t walk_searching(Valley valley, std::uint64_t most);

// The closed loop: gradients at points around the current one, their damped covariance as the
// Fisher block, its inverse (natural) or inverse square root (whitened) as preconditioner. A block
// that does not converge is damped ten times more.
std::uint64_t walk_preconditioned(Valley valley, Metric metric, Dispatcher& dispatcher,
                                  std::uint64_t seed, std::uint64_t most);

}  // namespace vyre::testing
