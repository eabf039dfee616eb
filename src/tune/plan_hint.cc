#include "tune/plan_hint.h"

#include <algorithm>

#include "fuse/roofline.h"
#include "tune/problem_call.h"

namespace vyre {
namespace {

// Value indices of the fuse_ parameters by breadth: no link, then one, then two...
class Plans {
 public:
  explicit Plans(const Problem& problem) : problem_(problem) {
    const auto& parameters = problem.space.parameters();
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      if (parameters[k].name.starts_with("fuse_")) links_.push_back(k);
    }
  }

  // Valid configurations, at most `most`.
  std::vector<std::uint64_t> indices(std::size_t most) const {
    std::vector<space::Point> level{problem_.space.at(problem_.default_index)};
    std::vector<std::uint64_t> out;
    // A point of the next level has one more link, behind those that it has already.
    for (std::size_t fused = 0; fused <= links_.size() && out.size() < most; ++fused) {
      std::vector<space::Point> next;
      for (const space::Point& point : level) {
        if (const auto index = problem_.space.index_of(point); index && out.size() < most) {
          out.push_back(*index);
        }
        if (next.size() < most) extend(point, next);
      }
      level = std::move(next);
    }
    return out;
  }

 private:
  void extend(const space::Point& point, std::vector<space::Point>& to) const {
    const space::Point start = problem_.space.at(problem_.default_index);
    std::size_t first = 0;
    for (std::size_t k = 0; k < links_.size(); ++k) {
      if (point[links_[k]] != start[links_[k]]) first = k + 1;
    }
    for (std::size_t k = first; k < links_.size(); ++k) {
      const auto values = problem_.space.parameters()[links_[k]].values.size();
      for (std::uint32_t value = 0; value < values; ++value) {
        if (value == start[links_[k]]) continue;
        space::Point longer = point;
        longer[links_[k]] = value;
        to.push_back(std::move(longer));
      }
    }
  }

  const Problem& problem_;
  std::vector<std::size_t> links_;  // parameters
};

class Predictor {
 public:
  Predictor(const Problem& problem, const DeviceLimits& limits, const fuse::Rates& rates)
      : problem_(problem), limits_(limits), rates_(rates), slots_(problem.sequence) {
    is_placed_ = place(problem, slots_).has_value();
  }

  // 0: a call with this configuration cannot be launched.
  double ns(const Config& config) const {
    if (!is_placed_) return 0;
    const auto plan = backend::make_plan(problem_.sequence, slots_, options_for(config), limits_);
    return plan ? fuse::predicted_ns(problem_.sequence, *plan, rates_) : 0;
  }

 private:
  const Problem& problem_;
  const DeviceLimits& limits_;
  const fuse::Rates& rates_;
  backend::Slots slots_;
  bool is_placed_ = false;
};

}  // namespace

Hint plan_hint(const Problem& problem, const DeviceLimits& limits, const fuse::Rates& rates) {
  Hint out;
  const Predictor predictor(problem, limits, rates);
  for (const std::uint64_t index : Plans(problem).indices(kMostPlans)) {
    const double ns = predictor.ns(problem.space.config_at(index));
    if (ns > 0) out.times.push_back({index, ns});
  }
  return out;
}

std::vector<double> predicted_gains(const Problem& problem, const DeviceLimits& limits,
                                    const fuse::Rates& rates) {
  std::vector<double> out;
  if (problem.plans == nullptr) return out;
  const Predictor predictor(problem, limits, rates);
  const double unfused = predictor.ns(problem.space.config_at(problem.default_index));
  for (std::size_t k = 0; k < problem.plans->intervals.size(); ++k) {
    const double ns = predictor.ns(fuse::single_plan(*problem.plans, k));
    out.push_back(ns > 0 ? unfused / ns : 0);
  }
  return out;
}

}  // namespace vyre
