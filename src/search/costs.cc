#include "search/costs.h"

#include <cmath>
#include <numeric>
#include <string>
#include <variant>

namespace vyre {
namespace {

// More costs than these do not change what is expected, and would make telling slow.
constexpr std::size_t kMostTold = 256;
// Of a cost's logarithm: what the parameters explain together, and what no parameter explains.
constexpr double kExplained = 0.5;
constexpr double kUnexplained = 0.05;
constexpr double kReach = 0.5;  // over which the cost changes, of a parameter's list

}  // namespace

void Costs::tell(std::uint64_t index, const Result& result) {
  const double seconds = result.compile_seconds + result.run_seconds;
  if (!(seconds > 0) || !std::isfinite(seconds) || logs_.size() == kMostTold) return;
  const space::Point point = space_.at(index);
  append(point);
  points_.push_back(point);
  logs_.push_back(std::log(seconds));
  mean_ = std::accumulate(logs_.begin(), logs_.end(), 0.0) / static_cast<double>(logs_.size());
  fill_tables();
}

std::optional<double> Costs::seconds(std::uint64_t index) const {
  if (logs_.empty()) return std::nullopt;
  return std::exp(log_seconds(space_.at(index)));
}

double Costs::log_seconds(space::PointView point) const {
  double sum = mean_;
  for (std::size_t p = 0; p < effects_.size(); ++p) sum += effects_[p][point[p]];
  return sum;
}

// Of two values of a parameter, 0 to 1. Names have no order.
double Costs::alike(std::size_t parameter, std::uint32_t a, std::uint32_t b) const {
  if (a == b) return 1;
  const std::vector<Value>& values = space_.parameters()[parameter].values;
  if (std::holds_alternative<std::string>(values[a])) return 0;
  const double apart = std::fabs(static_cast<double>(a) - static_cast<double>(b));
  return std::exp(-apart / static_cast<double>(values.size() - 1) / kReach);
}

double Costs::covariance(space::PointView a, space::PointView b) const {
  double sum = 0;
  for (std::size_t p = 0; p < a.size(); ++p) sum += alike(p, a[p], b[p]);
  return kExplained * sum / static_cast<double>(a.size());
}

// One more row of the factor, by forward substitution.
void Costs::append(space::PointView point) {
  std::vector<double> row;
  double rest = kExplained + kUnexplained;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    double entry = covariance(points_[i], point);
    for (std::size_t k = 0; k < i; ++k) entry -= lower_[i][k] * row[k];
    row.push_back(entry / lower_[i][i]);
    rest -= row.back() * row.back();
  }
  row.push_back(std::sqrt(rest));  // rest >= kUnexplained
  lower_.push_back(std::move(row));
}

// Solves for the weight of each point, and sums the weights up by value.
void Costs::fill_tables() {
  const std::size_t n = points_.size();
  std::vector<double> weights(n);
  for (std::size_t i = 0; i < n; ++i) {
    double left = logs_[i] - mean_;
    for (std::size_t k = 0; k < i; ++k) left -= lower_[i][k] * weights[k];
    weights[i] = left / lower_[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    weights[i] /= lower_[i][i];
    for (std::size_t k = 0; k < i; ++k) weights[k] -= lower_[i][k] * weights[i];
  }
  effects_.assign(space_.dimensions(), {});
  for (std::size_t p = 0; p < effects_.size(); ++p) {
    const std::size_t values = space_.parameters()[p].values.size();
    const double share = kExplained / static_cast<double>(effects_.size());
    std::vector<double> at(values, 0);  // the weights of each value's points
    for (std::size_t i = 0; i < n; ++i) at[points_[i][p]] += share * weights[i];
    effects_[p].assign(values, 0);
    for (std::uint32_t from = 0; from < values; ++from) {
      if (at[from] == 0) continue;
      for (std::uint32_t to = 0; to < values; ++to)
        effects_[p][to] += at[from] * alike(p, from, to);
    }
  }
}

}  // namespace vyre
