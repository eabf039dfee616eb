// How the comparison stays exact and cheap. Both sides are first multiplied out with 256 bits each,
// rounded down. This decides unless they agree in about 128 bits. If they do, they are usually
// equal, and equality is decided by factors alone: see equal_by_factors. Sides that are not equal
// are multiplied out again with twice as many bits, until they differ. That ends, because with
// enough bits nothing is rounded.

#include "substrate/exact_product.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

namespace vyre::substrate {
namespace {

using Limbs = std::span<std::uint64_t>;

constexpr std::size_t kFirstLimbs = 4;
// A mantissa whose highest limb is not 0 loses less than one part in 2^(64 * (limbs - 1)) by each
// rounding. Fewer than 2^63 roundings are then less than one unit of limb 2.
constexpr std::size_t kUnsureLimbs = 2;

// mantissa * 2^shift, the mantissa being an odd integer.
struct OddTimesPower {
  std::uint64_t mantissa = 1;
  std::int64_t shift = 0;
};

OddTimesPower split(double x) {
  const int exponent = std::ilogb(x);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(x, 52 - exponent));
  const int zeros = std::countr_zero(mantissa);
  return {mantissa >> static_cast<unsigned>(zeros), std::int64_t{exponent} - 52 + zeros};
}

// A positive number, rounded down to as many limbs as its storage has. The lowest limb comes first,
// and the highest is never 0.
class RoundedDown {
 public:
  explicit RoundedDown(Limbs storage)
      : limbs_(storage), exponent_(1 - static_cast<std::int64_t>(storage.size())) {
    std::ranges::fill(limbs_, 0);
    limbs_.back() = 1;
  }

  void multiply(std::uint64_t factor) {
    unsigned __int128 carry = 0;
    for (std::uint64_t& limb : limbs_) {
      carry += static_cast<unsigned __int128>(limb) * factor;
      limb = static_cast<std::uint64_t>(carry);
      carry >>= 64U;
    }
    if (carry == 0) return;
    std::shift_left(limbs_.begin(), limbs_.end(), 1);
    limbs_.back() = static_cast<std::uint64_t>(carry);
    ++exponent_;
  }

  void shift_left(std::uint64_t bits) {
    multiply(std::uint64_t{1} << bits % 64);
    exponent_ += static_cast<std::int64_t>(bits / 64);
  }

  // Whether a < b. None: they are too near for the bits that there are.
  friend std::optional<bool> is_less(const RoundedDown& a, const RoundedDown& b) {
    if (a.exponent_ > b.exponent_) {
      const auto swapped = is_less(b, a);
      return swapped ? std::optional(!*swapped) : std::nullopt;
    }
    if (a.exponent_ + 1 < b.exponent_) return true;
    // Limb k of b has the weight of limb k + offset of a.
    const auto offset = static_cast<std::size_t>(b.exponent_ - a.exponent_);
    const std::size_t size = b.limbs_.size();
    __int128 difference = 0;  // b - a so far, in units of limb k
    for (std::size_t k = size; k-- > kUnsureLimbs;) {
      const std::uint64_t of_a = k + offset < size ? a.limbs_[k + offset] : 0;
      difference = (difference << 64U) + b.limbs_[k];
      difference -= of_a;
      // The lower limbs add less than one unit, and rounding was less than another.
      if (difference > 2 || difference < -2) return difference > 0;
    }
    return std::nullopt;
  }

 private:
  Limbs limbs_;
  std::int64_t exponent_;  // the value is the limbs times 2^(64 * exponent)
};

// Integers above 1 without common factors, refined out of one odd number below 2^53.
class CoprimeBase {
 public:
  explicit CoprimeBase(std::uint64_t odd) {
    if (odd > 1) add(odd);
  }

  // Splits members until `x` is a product of their powers. False: a prime of x is in none of them.
  bool refine_for(std::uint64_t x) {
    for (;;) {
      std::uint64_t rest = x;
      for (const std::uint64_t b : members()) take_out(rest, b);
      if (rest == 1) return true;
      const auto shares = [rest](std::uint64_t b) { return std::gcd(rest, b) > 1; };
      const auto b = std::ranges::find_if(members(), shares);
      if (b == members().end()) return false;
      split(*b, std::gcd(rest, *b));
    }
  }

  std::span<std::uint64_t> members() { return std::span(members_).first(size_); }

  // Divides x by b as often as possible, and says how often that was.
  static std::uint64_t take_out(std::uint64_t& x, std::uint64_t b) {
    std::uint64_t times = 0;
    for (; x % b == 0; x /= b) ++times;
    return times;
  }

 private:
  // Members never share a factor: one that shares a part of its factors with x is split first.
  void add(std::uint64_t x) {
    const auto shared = std::ranges::find_if(members(), [x](auto b) { return std::gcd(x, b) > 1; });
    if (shared == members().end()) {
      if (x > 1) members_[size_++] = x;
      return;
    }
    const std::uint64_t g = std::gcd(x, *shared);
    if (g == *shared) return add(x / g);
    split(*shared, g);
    add(x);
  }

  void split(std::uint64_t& member, std::uint64_t factor) {
    const std::uint64_t other = member / factor;
    member = members_[--size_];
    add(factor);
    add(other);
  }

  std::array<std::uint64_t, 16>
      members_{};  // 3 * 5 * 7 * ... * 47 has 14 factors, and is above 2^53
  std::size_t size_ = 0;
};

// Whether the product is the power, both being products of the same few coprime numbers: those that
// the threshold's odd part falls into. Every prime of a factor must be a prime of the threshold, so
// that all factors can be written as powers of these numbers, and the exponents are compared.
bool equal_by_factors(std::span<const std::uint64_t> factors, const OddTimesPower& threshold,
                      std::uint64_t power) {
  if (threshold.shift < 0) return false;  // the power is no integer
  CoprimeBase base(threshold.mantissa);
  std::uint64_t twos = 0;
  for (const std::uint64_t f : factors) {
    if (f == 0) continue;
    const auto zeros = static_cast<unsigned>(std::countr_zero(f));
    twos += zeros;
    if (!base.refine_for(f >> zeros)) return false;
  }
  if (twos != power * static_cast<std::uint64_t>(threshold.shift)) return false;
  return std::ranges::all_of(base.members(), [&](std::uint64_t b) {
    std::uint64_t found = 0;
    for (std::uint64_t f : factors) found += f == 0 ? 0 : CoprimeBase::take_out(f, b);
    std::uint64_t mantissa = threshold.mantissa;
    return found == power * CoprimeBase::take_out(mantissa, b);
  });
}

// Whether the product is above the power, as far as so many limbs tell.
std::optional<bool> is_above(std::span<const std::uint64_t> factors, const OddTimesPower& threshold,
                             std::uint64_t power, Limbs storage) {
  RoundedDown product(storage.first(storage.size() / 2));
  RoundedDown bound(storage.last(storage.size() / 2));
  for (const std::uint64_t f : factors) {
    if (f > 1) product.multiply(f);
  }
  for (std::uint64_t k = 0; k < power; ++k) bound.multiply(threshold.mantissa);
  const bool is_integer = threshold.shift >= 0;
  (is_integer ? bound : product)
      .shift_left(power * static_cast<std::uint64_t>(std::abs(threshold.shift)));
  return is_less(bound, product);
}

}  // namespace

bool product_is_at_most_power(std::span<const std::uint64_t> factors, double threshold,
                              std::uint64_t power, std::vector<std::uint64_t>& limbs) {
  if (threshold < 1) return false;  // a product of integers is at least one
  const OddTimesPower parts = split(threshold);
  for (std::size_t size = kFirstLimbs;; size *= 2) {
    limbs.resize(2 * size);
    if (const auto above = is_above(factors, parts, power, limbs)) return !*above;
    if (size == kFirstLimbs && equal_by_factors(factors, parts, power)) return true;
  }
}

}  // namespace vyre::substrate
