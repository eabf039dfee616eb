#include "testing/valley.h"

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <random>

namespace vyre::testing {
namespace {

using Point = Valley::Point;
constexpr std::size_t kN = Valley::kDimensions;
constexpr std::size_t kSamples = 3 * kN;  // gradients that a Fisher block is estimated from
constexpr double kRadius = 0.1;           // how far from the current point they are taken

Point moved(const Point& x, const Point& direction, double by) {
  Point out = x;
  for (std::size_t k = 0; k < kN; ++k) out[k] += by * direction[k];
  return out;
}

// Along -direction: doubles the step while that helps, halves it until it does. Moves `x` and keeps
// the step for the next search; false if no step helped.
bool search(Valley& valley, const Point& direction, Point& x, double& here, double& step) {
  for (int halvings = 0; halvings < 60; ++halvings, step /= 2) {
    Point next = moved(x, direction, -step);
    double there = valley.latency(next);
    if (!(there < here)) continue;
    while (true) {
      const Point further = moved(x, direction, -2 * step);
      const double latency = valley.latency(further);
      if (!(latency < there)) break;
      step *= 2;
      next = further;
      there = latency;
    }
    x = next;
    here = there;
    return true;
  }
  return false;
}

using Direction = std::function<Point(Valley&, const Point& x, const Point& gradient)>;

std::uint64_t walk(Valley& valley, std::uint64_t most, const Direction& direction) {
  Point x = valley.start();
  double here = valley.latency(x);
  double step = 1;
  while (!valley.is_there(x)) {
    if (valley.evaluations() > most) return 0;
    const Point gradient = valley.gradient(x, here);
    const Point along = direction(valley, x, gradient);
    if (along.empty() || !search(valley, along, x, here, step)) return 0;
  }
  return valley.evaluations();
}

}  // namespace

Valley::Valley(double condition, std::uint64_t seed) : target_(kN), start_(kN) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd noise(kN, kN);
  for (double& x : noise.reshaped()) x = normal(random);
  const Eigen::MatrixXd axes = Eigen::HouseholderQR<Eigen::MatrixXd>(noise).householderQ();
  Eigen::VectorXd curvature(kN);
  Eigen::VectorXd offset(kN);
  for (std::size_t k = 0; k < kN; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    curvature[i] = std::pow(condition, static_cast<double>(k) / (kN - 1));
    offset[i] = (random() % 2 == 0 ? 1 : -1) / std::sqrt(curvature[i]);
  }
  const Eigen::MatrixXd h = axes * curvature.asDiagonal() * axes.transpose();
  hessian_.assign(h.data(), h.data() + h.size());
  const Eigen::VectorXd begin = axes * offset;
  for (std::size_t k = 0; k < kN; ++k) {
    target_[k] = normal(random);
    start_[k] = target_[k] + begin[static_cast<Eigen::Index>(k)];
  }
}

double Valley::value(const Point& x) const {
  double sum = 0;
  for (std::size_t i = 0; i < kN; ++i) {
    for (std::size_t j = 0; j < kN; ++j) {
      sum += hessian_[i * kN + j] * (x[i] - target_[i]) * (x[j] - target_[j]);
    }
  }
  return 1 + sum / 2;
}

double Valley::latency(const Point& x) {
  ++evaluations_;
  return value(x);
}

Point Valley::gradient(const Point& x, double here) {
  constexpr double h = 1e-7;
  Point out(kN);
  for (std::size_t k = 0; k < kN; ++k) {
    Point beside = x;
    beside[k] += h;
    out[k] = (latency(beside) - here) / h;
  }
  return out;
}

std::uint64_t walk_plain(Valley valley, double step_size, std::uint64_t most) {
  Point x = valley.start();
  while (!valley.is_there(x)) {
    const double here = valley.latency(x);
    if (valley.evaluations() > most || !(here < 1e6)) return 0;
    x = moved(x, valley.gradient(x, here), -step_size);
  }
  return valley.evaluations();
}

std::uint64_t walk_searching(Valley valley, std::uint64_t most) {
  return walk(valley, most, [](Valley&, const Point&, const Point& g) { return g; });
}

std::uint64_t walk_preconditioned(Valley valley, Metric metric, Dispatcher& dispatcher,
                                  std::uint64_t seed, std::uint64_t most) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, kRadius);
  substrate::ProgramScratch fisher_scratch;
  substrate::RootScratch root_scratch;
  std::vector<float> fisher;
  return walk(valley, most, [&](Valley& v, const Point& x, const Point& g) -> Point {
    std::vector<float> samples;
    double scale = 0;
    for (std::size_t k = 0; k < kSamples; ++k) {
      Point near = x;
      for (double& coordinate : near) coordinate += normal(random);
      for (const double partial : v.gradient(near, v.latency(near))) {
        samples.push_back(static_cast<float>(partial));
        scale += partial * partial / (kSamples * kN);
      }
    }
    const std::vector<float> weights(kSamples, 1.0F);
    for (double damping = 1e-7; damping < 10; damping *= 10) {
      const auto lambda = static_cast<float>(scale * damping);
      Point out;
      if (!substrate::damped_fisher_via(dispatcher, {samples, weights, kN}, lambda, fisher_scratch,
                                        fisher)) {
        return {};
      }
      const auto found =
          metric == Metric::natural
              ? substrate::natural_gradient_via(dispatcher, fisher, g, root_scratch, out)
              : substrate::whitened_gradient_via(dispatcher, fisher, g, root_scratch, out);
      if (found) return out;
    }
    return {};
  });
}

}  // namespace vyre::testing
