#include "search/natural/encoding.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace vyre::natural {
namespace {

// Tables over pairs of codes stay small: longer lists share codes between neighbouring values.
constexpr std::size_t kMostCodes = 128;
constexpr std::uint32_t kUnevenCodes = 32;
// In a space of so many, a search measures a few dozen configurations, and products are more
// explanations than these can tell apart (docs/search.md).
constexpr std::uint64_t kFewConfigurations = 2048;

constexpr double kPlainLength = 1.0;    // a parameter matters over its whole range,
constexpr double kDivisorLength = 2.0;  // its divisibility rather less
constexpr double kSameCoordinate = 0.02;
constexpr int kMostTwos = 6;  // 64-way alignment is the last that any device asks for

std::optional<double> number(const Value& value) {
  if (const bool* b = std::get_if<bool>(&value)) return *b ? 1 : 0;
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const double* d = std::get_if<double>(&value)) return *d;
  return std::nullopt;
}

// The values as numbers if they are numbers in ascending order.
std::vector<double> ascending_numbers(const space::Parameter& parameter) {
  std::vector<double> out;
  for (const Value& value : parameter.values) {
    const auto n = number(value);
    if (!n || !std::isfinite(*n) || (!out.empty() && *n <= out.back())) return {};
    out.push_back(*n);
  }
  return out;
}

bool are_sizes(const std::vector<double>& numbers) {
  constexpr double kLargest = 1e9;
  return !numbers.empty() && std::ranges::all_of(numbers, [](double n) {
    return n >= 0 && n <= kLargest && n == std::floor(n);
  });
}

// Place in the list, 0 to 1.
double rank(std::size_t i, std::size_t n) {
  return n < 2 ? 0 : static_cast<double>(i) / static_cast<double>(n - 1);
}

// Logarithm of the value, 0 to 1; lists that reach zero or below have only their ranks.
double log_place(const std::vector<double>& numbers, std::size_t i) {
  const double first = numbers.front();
  const double last = numbers.back();
  if (first > 0) return std::log(numbers[i] / first) / std::log(last / first);
  if (first == 0) return std::log1p(numbers[i]) / std::log1p(last);
  return rank(i, numbers.size());
}

// Keeps the coordinates that differ between values and do not follow from another coordinate.
void add_coordinate(Group& group, std::vector<double> at, double length,
                    bool is_divisibility = false) {
  const auto [low, high] = std::ranges::minmax(at);
  if (high - low < 1e-9) return;
  for (double& v : at) v = (v - low) / (high - low);
  for (const Coordinate& other : group.coordinates) {
    double same = 0;
    double mirrored = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      same = std::max(same, std::fabs(at[k] - other.at[k]));
      mirrored = std::max(mirrored, std::fabs(1 - at[k] - other.at[k]));
    }
    if (std::min(same, mirrored) < kSameCoordinate) return;
  }
  group.coordinates.push_back({std::move(at), std::log(length), is_divisibility});
}

// Values share codes where there are more than kMostCodes; the middle one stands for them.
std::vector<Code> codes_of(std::size_t values) {
  std::vector<Code> out(values);
  const std::size_t codes = std::min(values, kMostCodes);
  for (std::size_t i = 0; i < values; ++i) out[i] = static_cast<Code>(i * codes / values);
  return out;
}

std::vector<std::size_t> representatives(const std::vector<Code>& codes) {
  std::vector<std::size_t> out;
  for (std::size_t first = 0; first < codes.size();) {
    std::size_t end = first;
    while (end < codes.size() && codes[end] == codes[first]) ++end;
    out.push_back((first + end) / 2);
    first = end;
  }
  return out;
}

}  // namespace

int twos_in(std::int64_t n) {
  int twos = 0;
  for (; n != 0 && n % 2 == 0; n /= 2) ++twos;
  return twos;
}

double odd_factor(std::int64_t n) {
  while (n != 0 && n % 2 == 0) n /= 2;
  return n == 0 ? 1 : static_cast<double>(n);
}

float matern52(float squared_distance) {
  const float r = std::sqrt(5 * squared_distance);
  return (1 + r + r * r / 3) * std::exp(-r);
}

Encoding::Encoding(const space::Space& space) : odd_factor_(space.dimensions()) {
  for (std::size_t p = 0; p < space.dimensions(); ++p) {
    if (space.parameters()[p].values.size() > 1) add_parameter(space.parameters()[p], p);
  }
  if (has_odd_) add_unevenness();
  if (space.size() > kFewConfigurations) products_ = Products(groups_);
  for (const Group& g : groups_) coordinate_count_ += g.coordinates.size();
}

void Encoding::add_parameter(const space::Parameter& parameter, std::size_t index) {
  const std::vector<double> numbers = ascending_numbers(parameter);
  const bool sizes = are_sizes(numbers) && numbers.size() > 2;
  const std::vector<Code> codes = codes_of(parameter.values.size());
  Group group{.ordered = !numbers.empty(), .coordinates = {}, .sizes = {}};
  std::vector<double> plain;
  std::vector<double> twos;
  std::vector<double> odd;
  for (const std::size_t i : representatives(codes)) {
    const double place = rank(i, parameter.values.size());
    plain.push_back(numbers.empty() ? place : (log_place(numbers, i) + place) / 2);
    if (!sizes) continue;
    const auto n = static_cast<std::int64_t>(numbers[i]);
    if (numbers.front() > 0) group.sizes.push_back(numbers[i]);
    twos.push_back(std::min(twos_in(n), kMostTwos));
    odd.push_back(1 - 1 / odd_factor(n));
  }
  group.values = static_cast<std::uint32_t>(plain.size());
  add_coordinate(group, std::move(plain), kPlainLength);
  if (sizes) {
    add_coordinate(group, std::move(twos), kDivisorLength, true);
    add_coordinate(group, std::move(odd), kDivisorLength, true);
    // A factor that all values share is the unit of the list, and tells none of them from another.
    std::int64_t common = 0;
    for (const double n : numbers) common = std::gcd(common, static_cast<std::int64_t>(n));
    for (const double n : numbers) {
      odd_factor_[index].push_back(odd_factor(static_cast<std::int64_t>(n) / common));
      has_odd_ = has_odd_ || odd_factor_[index].back() > 1;
    }
  }
  groups_.push_back(std::move(group));
  parameter_of_.push_back(index);
  code_of_.push_back(codes);
}

void Encoding::add_unevenness() {
  Group group{.values = kUnevenCodes, .coordinates = {}, .sizes = {}};
  std::vector<double> at;
  for (std::uint32_t k = 0; k < kUnevenCodes; ++k) at.push_back(rank(k, kUnevenCodes));
  add_coordinate(group, std::move(at), kPlainLength, true);
  groups_.push_back(std::move(group));
}

double Encoding::unevenness(space::PointView point) const {
  double odd = 1;
  for (std::size_t p = 0; p < point.size(); ++p) {
    if (!odd_factor_[p].empty()) odd *= odd_factor_[p][point[p]];
  }
  return 1 - 1 / odd;
}

void Encoding::encode(space::PointView point, std::span<Code> codes) const {
  for (std::size_t g = 0; g < parameter_of_.size(); ++g) {
    codes[g] = code_of_[g][point[parameter_of_[g]]];
  }
  if (has_odd_) {
    codes.back() = static_cast<Code>(std::lround(unevenness(point) * (kUnevenCodes - 1)));
  }
}

double Encoding::step(std::size_t group, Code a, Code b) const {
  const std::vector<double>& at = groups_[group].coordinates[0].at;
  if (groups_[group].ordered) return std::fabs(at[a] - at[b]);
  return a == b ? 0 : 1;
}

double Encoding::distance(std::span<const Code> a, std::span<const Code> b) const {
  double sum = 0;
  for (std::size_t g = 0; g < parameter_of_.size(); ++g) {
    const double d = step(g, a[g], b[g]);
    sum += d * d;
  }
  return std::sqrt(sum);
}

}  // namespace vyre::natural
