#include "substrate/exact_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace vyre::substrate {
namespace {

// A natural number, lowest limb first, no zeros on top.
class Natural {
 public:
  void multiply(std::uint64_t factor) {
    unsigned __int128 carry = 0;
    for (std::uint64_t& limb : limbs_) {
      carry += static_cast<unsigned __int128>(limb) * factor;
      limb = static_cast<std::uint64_t>(carry);
      carry >>= 64U;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint64_t>(carry));
  }

  void shift_left(std::uint64_t bits) {
    multiply(std::uint64_t{1} << bits % 64);
    limbs_.insert(limbs_.begin(), bits / 64, 0);
  }

  bool is_at_most(const Natural& other) const {
    if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size();
    return !std::ranges::lexicographical_compare(other.limbs_.rbegin(), other.limbs_.rend(),
                                                 limbs_.rbegin(), limbs_.rend());
  }

 private:
  std::vector<std::uint64_t> limbs_{1};
};

// What lies between two doubles times a power of two, whatever was rounded.
class Bounds {
 public:
  void multiply(double low, double high) {
    low_ = down(low_ * low);
    high_ = up(high_ * high);
    int exponent = 0;
    high_ = std::frexp(high_, &exponent);
    low_ = std::ldexp(low_, -exponent);
    exponent_ += exponent;
  }

  // high < 1 here, so that the exponent alone says "at most one".
  bool at_most_one() const { return exponent_ <= 0; }
  bool above_one() const { return exponent_ > 1000 || std::ldexp(low_, int(exponent_)) > 1; }

  static double down(double x) { return std::nextafter(x, 0.0); }
  static double up(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }

 private:
  double low_ = 1;
  double high_ = 1;
  std::int64_t exponent_ = 0;
};

bool exactly(std::span<const std::uint64_t> factors, double threshold, std::uint64_t power) {
  // threshold = mantissa * 2^shift
  const int exponent = std::ilogb(threshold);
  auto mantissa = static_cast<std::uint64_t>(std::ldexp(threshold, 52 - exponent));
  const int zeros = std::countr_zero(mantissa);
  mantissa >>= static_cast<unsigned>(zeros);
  const int shift = exponent - 52 + zeros;
  Natural left;
  Natural right;
  for (const std::uint64_t f : factors) {
    if (f != 0) left.multiply(f);
  }
  for (std::uint64_t k = 0; k < power; ++k) right.multiply(mantissa);
  (shift < 0 ? left : right).shift_left(power * static_cast<std::uint64_t>(std::abs(shift)));
  return left.is_at_most(right);
}

}  // namespace

bool product_is_at_most_power(std::span<const std::uint64_t> factors, double threshold,
                              std::uint64_t power) {
  // A product of integers is at least one.
  if (threshold < 1) return false;
  const auto fits = [threshold](std::uint64_t f) {
    return threshold >= 0x1p64 || f <= static_cast<std::uint64_t>(threshold);
  };
  const std::size_t zeros = static_cast<std::size_t>(std::ranges::count(factors, 0U));
  if (factors.size() - zeros <= power && std::ranges::all_of(factors, fits)) return true;
  Bounds ratio;  // of product and power
  for (const std::uint64_t f : factors) {
    const auto x = static_cast<double>(f);
    if (f != 0) ratio.multiply(Bounds::down(x), Bounds::up(x));
  }
  const double inverse = 1 / threshold;
  for (std::uint64_t k = 0; k < power; ++k) {
    ratio.multiply(Bounds::down(inverse), Bounds::up(inverse));
  }
  if (ratio.at_most_one()) return true;
  if (ratio.above_one()) return false;
  return exactly(factors, threshold, power);
}

}  // namespace vyre::substrate
