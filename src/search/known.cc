#include "search/known.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace vyre {

std::optional<std::uint64_t> Known::take_start() {
  while (next_start_ < start_.size()) {
    if (const std::uint64_t index = start_[next_start_++]; take(index)) return index;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Known::take_random() {
  if (left() == 0) return std::nullopt;
  // Drawing again costs little until most of the space is taken; then the rest is listed once.
  if (rest_.empty() && taken_.size() < space_.size() / 2) {
    for (;;) {
      if (const std::uint64_t index = space_.sample(generator_); take(index)) return index;
    }
  }
  if (rest_.empty()) {
    for (std::uint64_t index = 0; index < space_.size(); ++index) {
      if (!is_taken(index)) rest_.push_back(index);
    }
    for (std::size_t k = rest_.size(); k > 1; --k) {
      std::swap(rest_[k - 1], rest_[below(generator_, k)]);
    }
  }
  while (!rest_.empty()) {
    const std::uint64_t index = rest_.back();
    rest_.pop_back();
    if (take(index)) return index;
  }
  return std::nullopt;
}

std::uint64_t below(std::mt19937_64& generator, std::uint64_t bound) {
  const std::uint64_t excess = (0 - bound) % bound;  // 2^64 mod bound
  for (;;) {
    if (const std::uint64_t drawn = generator(); drawn >= excess) return drawn % bound;
  }
}

double unit(std::mt19937_64& generator) {
  return static_cast<double>(generator() >> 11U) * 0x1p-53;
}

double normal(std::mt19937_64& generator) {
  const double radius = std::sqrt(-2 * std::log(1 - unit(generator)));
  return radius * std::cos(2 * std::numbers::pi * unit(generator));
}

}  // namespace vyre
