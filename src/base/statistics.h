// Statistics of run times and other samples that several layers need.

#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <span>
#include <vector>

#include "base/check.h"

namespace vyre {

// The middle one, or the mean of the two in the middle. At least one number.
inline double median_of_sorted(std::span<const double> sorted) {
  VYRE_CHECK(!sorted.empty());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// The same for numbers of any type, in any order.
template <std::ranges::input_range Numbers>
double median(const Numbers& numbers) {
  std::vector<double> sorted;
  for (const auto number : numbers) sorted.push_back(static_cast<double>(number));
  std::ranges::sort(sorted);
  return median_of_sorted(sorted);
}

}  // namespace vyre
