#include "bounds/range.h"

#include <algorithm>

namespace vyre::bounds {

Range product(const Range& a, const Range& b) {
  if (a.low >= 0 && b.low >= 0) {
    return {saturating_multiply(a.low, b.low), saturating_multiply(a.high, b.high)};
  }
  const auto [low, high] =
      std::minmax({saturating_multiply(a.low, b.low), saturating_multiply(a.low, b.high),
                   saturating_multiply(a.high, b.low), saturating_multiply(a.high, b.high)});
  return {low, high};
}

Range scaled(const Range& x, Int factor) {
  const Int a = saturating_multiply(x.low, factor);
  const Int b = saturating_multiply(x.high, factor);
  return factor < 0 ? Range{b, a} : Range{a, b};
}

Range sum(const Range& a, const Range& b) {
  const bool has_low = a.low > -kMostInt && b.low > -kMostInt;
  const bool has_high = a.high < kMostInt && b.high < kMostInt;
  return {has_low ? saturating_add(a.low, b.low) : -kMostInt,
          has_high ? saturating_add(a.high, b.high) : kMostInt};
}

Int floor_div(Int a, Int b) {
  if (b == 1) return a;
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace vyre::bounds
