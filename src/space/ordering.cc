#include "space/ordering.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vyre::space::detail {
namespace {

constexpr std::size_t kMostStarts = 12;

// The open parameters of each constraint that is still to be checked.
std::vector<std::vector<std::size_t>> open_scopes(const ReducedDefinition& reduced) {
  std::vector<std::vector<std::size_t>> scopes;
  for (const Constraint& constraint : reduced.constraints) {
    if (constraint.applied) continue;
    auto& scope = scopes.emplace_back();
    std::ranges::copy_if(constraint.parameters, std::back_inserter(scope),
                         [&](std::size_t p) { return reduced.live[p].size() > 1; });
  }
  return scopes;
}

std::vector<std::vector<std::size_t>> connected_groups(
    std::size_t parameters, const std::vector<std::vector<std::size_t>>& scopes) {
  std::vector<std::size_t> leader(parameters);
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&](std::size_t p) {
    while (leader[p] != p) p = leader[p] = leader[leader[p]];
    return p;
  };
  for (const auto& scope : scopes) {
    for (const std::size_t p : scope) {
      const std::size_t a = find(scope[0]);
      const std::size_t b = find(p);
      leader[std::max(a, b)] = std::min(a, b);  // the first parameter leads
    }
  }
  std::vector<std::vector<std::size_t>> groups(parameters);
  for (std::size_t p = 0; p < parameters; ++p) groups[find(p)].push_back(p);
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

// Orders the parameters of one group greedily, once from each start, and keeps the cheapest order.
// Sizes are kept as logarithms, so that products cannot overflow.
class Orderer {
 public:
  Orderer(const ReducedDefinition& reduced, const std::vector<std::size_t>& group,
          const std::vector<std::vector<std::size_t>>& scopes)
      : group_(group) {
    for (const std::size_t p : group) {
      log_size_.push_back(std::log2(static_cast<double>(reduced.live[p].size())));
    }
    scopes_of_.resize(group.size());
    for (const auto& scope : scopes) {
      if (!scope.empty() && std::ranges::binary_search(group, scope[0])) add(scope);
    }
  }

  std::vector<std::size_t> best() {
    std::vector<std::size_t> starts(group_.size());
    std::iota(starts.begin(), starts.end(), std::size_t{0});
    std::ranges::sort(starts, [&](std::size_t i, std::size_t j) {
      const std::size_t a = scopes_of_[i].size();
      const std::size_t b = scopes_of_[j].size();
      return a != b ? a > b : i < j;
    });
    starts.resize(std::min(starts.size(), kMostStarts));
    std::vector<std::size_t> order;
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t start : starts) {
      const double work = grow(start);
      if (!order.empty() && work >= least) continue;
      least = work;
      order = order_;
    }
    std::ranges::transform(order, order.begin(), [&](std::size_t i) { return group_[i]; });
    return order;
  }

 private:
  void add(const std::vector<std::size_t>& scope) {
    auto& members = scopes_.emplace_back();
    for (const std::size_t p : scope) {
      const auto i = static_cast<std::size_t>(std::ranges::lower_bound(group_, p) - group_.begin());
      members.push_back(i);
      scopes_of_[i].push_back(scopes_.size() - 1);
    }
  }

  // Builds order_ from `start`; returns the estimated number of values tried.
  double grow(std::size_t start) {
    order_.clear();
    bound_.assign(group_.size(), false);
    open_.clear();
    for (const auto& scope : scopes_) open_.push_back(scope.size());
    double work = std::exp2(bind(start));
    while (order_.size() < group_.size()) work += std::exp2(bind(next()));
    return work;
  }

  // Binds the parameter; returns the logarithm of the number of values tried for it.
  double bind(std::size_t i) {
    const double tried = frontier(kNone) + log_size_[i];
    order_.push_back(i);
    bound_[i] = true;
    for (const std::size_t s : scopes_of_[i]) --open_[s];
    return tried;
  }

  std::size_t next() const {
    std::size_t best = kNone;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < group_.size(); ++i) {
      if (bound_[i]) continue;
      const double size = frontier(i) + 1e-3 * log_size_[i];
      if (best != kNone && size >= least) continue;
      least = size;
      best = i;
    }
    return best;
  }

  // The logarithm of the number of states after binding `extra` too. A state is a combination of
  // values of the bound parameters that an incomplete constraint still depends on.
  double frontier(std::size_t extra) const {
    double size = 0;
    for (std::size_t i = 0; i < group_.size(); ++i) {
      if (!bound_[i] && i != extra) continue;
      const bool matters = std::ranges::any_of(scopes_of_[i], [&](std::size_t s) {
        const bool takes_extra =
            extra != kNone && std::ranges::find(scopes_[s], extra) != scopes_[s].end();
        return open_[s] > (takes_extra ? 1U : 0U);
      });
      if (matters) size += log_size_[i];
    }
    return size;
  }

  const std::vector<std::size_t>& group_;
  std::vector<double> log_size_;
  std::vector<std::vector<std::size_t>> scopes_;     // positions within the group
  std::vector<std::vector<std::size_t>> scopes_of_;  // per position
  std::vector<std::size_t> order_;
  std::vector<bool> bound_;
  std::vector<std::size_t> open_;  // per scope: parameters not bound yet
};

}  // namespace

std::vector<std::vector<std::size_t>> order_groups(const ReducedDefinition& reduced) {
  const auto scopes = open_scopes(reduced);
  auto groups = connected_groups(reduced.names.size(), scopes);
  for (auto& group : groups) {
    if (group.size() > 1) group = Orderer(reduced, group, scopes).best();
  }
  return groups;
}

}  // namespace vyre::space::detail
