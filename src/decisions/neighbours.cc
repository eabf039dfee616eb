#include "decisions/neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vyre {
namespace {

// A shape is far if a size differs by more than a factor of 2^4 (4 in the edges of a matrix): there
// the speed is limited by other parts of the device.
constexpr double kFar = 4;
// Neighbours that are farther than this many times the nearest do not count.
constexpr double kWithin = 3;
// A configuration that is slower by this share at a neighbour gives reason to tune.
constexpr double kMuchWorse = 0.1;
// The share that a configuration with an unknown time is expected to lose beyond its known least
// loss.
constexpr double kUnknown = 0.05;

struct Loss {
  double least = 0;  // slower than the neighbour's own configuration by at least this share
  bool is_known = true;

  double expected() const { return least + (is_known ? 0 : kUnknown); }
};

Loss loss_at(const Decision& neighbour, const Config& config) {
  if (config == neighbour.config) return {};
  if (!neighbour.runner_up || !(neighbour.elapsed.ns > 0)) return {0, false};
  const double behind = neighbour.runner_up->elapsed.ns / neighbour.elapsed.ns - 1;
  return {std::max(0.0, behind), config == neighbour.runner_up->config};
}

// The largest factor between the sizes of two shapes, as a logarithm.
double widest(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    out = std::max(out, distance_between(a.subspan(k, 1), b.subspan(k, 1)));
  }
  return out;
}

// A nearer neighbour counts more. The constant limits the weight of one that is very near.
double weight_of(std::span<const std::uint64_t> shape, const Decision& neighbour) {
  return 1 / (0.1 + distance_between(shape, neighbour.shape));
}

std::string doubt_about(const Config& config, std::span<const std::uint64_t> shape,
                        std::span<const Decision> neighbours) {
  const double factor = std::exp2(widest(shape, neighbours[0].shape));
  if (factor > std::exp2(kFar)) {
    return fmt::format("the nearest shape that was tuned differs by a factor of {:.0f}", factor);
  }
  double worst = 0;
  for (const Decision& n : neighbours) worst = std::max(worst, loss_at(n, config).least);
  if (worst < kMuchWorse) return {};
  return fmt::format(
      "its neighbours disagree: what is best at one is at least {:.0f} % slower at another",
      100 * worst);
}

}  // namespace

double distance_between(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double ratio = (static_cast<double>(a[k]) + 1) / (static_cast<double>(b[k]) + 1);
    sum += std::abs(std::log2(ratio));
  }
  return sum;
}

Served serve_from(std::span<const std::uint64_t> shape, std::span<const Decision> neighbours) {
  Served out;
  const double limit = kWithin * distance_between(shape, neighbours[0].shape);
  while (distance_between(shape, neighbours.back().shape) > limit) {
    neighbours = neighbours.first(neighbours.size() - 1);
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    double loss = 0;
    for (const Decision& n : neighbours) {
      loss += weight_of(shape, n) * loss_at(n, neighbours[k].config).expected();
    }
    if (loss >= least) continue;
    least = loss;
    out.chosen = k;
  }
  out.doubt = doubt_about(neighbours[out.chosen].config, shape, neighbours);
  return out;
}

}  // namespace vyre
