#include "search/natural/products.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "search/natural/encoding.h"

namespace vyre::natural {
namespace {

// The products of two long lists are too many for a table; such a pair is left out.
constexpr std::size_t kMostProducts = 250;
// Over which the likeness falls: of the range of the logarithms, of kMostTwosOfProduct factors of
// two, and of the odd factors. 0.15 and 0.6 instead of 0.3 scored 0.01 less (docs/search.md).
constexpr double kLogLength = 0.3;
constexpr double kTwosLength = 1;
constexpr double kOddLength = 1;
constexpr int kMostTwosOfProduct = 8;

using Coordinates = std::array<double, 3>;

// Each in [0, 1] over the range of all products.
Coordinates coordinates_of(double product, double least, double greatest) {
  const auto whole = static_cast<std::int64_t>(product);
  const double range = std::log(greatest / least);
  return {range > 0 ? std::log(product / least) / range : 0,
          static_cast<double>(std::min(twos_in(whole), kMostTwosOfProduct)) / kMostTwosOfProduct,
          1 - 1 / odd_factor(whole)};
}

float likeness_of(const Coordinates& a, const Coordinates& b) {
  constexpr Coordinates kLengths{kLogLength, kTwosLength, kOddLength};
  double square = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double d = (a[k] - b[k]) / kLengths[k];
    square += d * d;
  }
  return matern52(static_cast<float>(square));
}

}  // namespace

Products::Products(std::span<const Group> groups) {
  for (std::size_t first = 0; first < groups.size(); ++first) {
    for (std::size_t second = 0; second < first; ++second) {
      if (groups[first].sizes.empty() || groups[second].sizes.empty()) continue;
      Pair pair = make_pair(groups, first, second);
      if (pair.products <= kMostProducts) pairs_.push_back(std::move(pair));
    }
  }
}

Products::Pair Products::make_pair(std::span<const Group> groups, std::size_t first,
                                   std::size_t second) {
  Pair out;
  out.first = first;
  out.second = second;
  out.seconds = groups[second].values;
  std::vector<double> all;
  for (const double a : groups[first].sizes) {
    for (const double b : groups[second].sizes) all.push_back(a * b);
  }
  std::vector<double> different = all;
  std::ranges::sort(different);
  const auto rest = std::ranges::unique(different);
  different.erase(rest.begin(), rest.end());
  out.products = different.size();
  if (out.products > kMostProducts) return out;
  for (const double product : all) {
    const auto it = std::ranges::lower_bound(different, product);
    out.product.push_back(static_cast<Code>(it - different.begin()));
  }
  std::vector<Coordinates> at;
  for (const double product : different) {
    at.push_back(coordinates_of(product, different.front(), different.back()));
  }
  for (const Coordinates& a : at) {
    for (const Coordinates& b : at) out.likeness.push_back(likeness_of(a, b));
  }
  return out;
}

float Products::likeness(std::span<const Code> x, std::span<const Code> y) const {
  float sum = 0;
  for (const Pair& p : pairs_) sum += p.likeness[p.product_of(x) * p.products + p.product_of(y)];
  return sum / static_cast<float>(pairs_.size());
}

void Products::row(std::span<const Code> x, const std::vector<std::vector<Code>>& codes,
                   Eigen::Ref<Eigen::ArrayXf> out) const {
  out.setZero();
  for (const Pair& p : pairs_) {
    const float* likeness = p.likeness.data() + p.product_of(x) * p.products;
    const Code* first = codes[p.first].data();
    const Code* second = codes[p.second].data();
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      out[i] += likeness[p.product[first[i] * p.seconds + second[i]]];
    }
  }
  out /= static_cast<float>(pairs_.size());
}

}  // namespace vyre::natural
