#include "search/known.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace vyre {

namespace {

// A space up to this size is listed when drawing finds nothing; in a larger one so many draws in
// vain mean that hardly anything fits.
constexpr std::uint64_t kListable = 1U << 17U;
constexpr int kDraws = 1000;

}  // namespace

bool Known::fits(std::uint64_t index) const {
  if (limit_ == std::numeric_limits<double>::infinity()) return true;
  const auto seconds = costs_.seconds(index);
  return !seconds || *seconds <= limit_;
}

bool Known::tell(std::uint64_t index, const Result& result) {
  taken_.insert(index);
  if (!results_.emplace(index, result).second) return false;
  costs_.tell(index, result);
  return true;
}

bool Known::withdraw(std::uint64_t index) {
  if (results_.contains(index) || taken_.erase(index) == 0) return false;
  if (!rest_.empty()) rest_.push_back(index);
  return true;
}

std::optional<std::uint64_t> Known::take_start() {
  for (const std::uint64_t index : start_) {
    if (take(index)) return index;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Known::take_random() {
  if (left() == 0) return std::nullopt;
  // Drawing again costs little until most of the space is taken; then the rest is listed once.
  if (rest_.empty() && taken_.size() < space_.size() / 2) {
    const auto drawn = take_sample();
    if (drawn || space_.size() > kListable) return drawn;
  }
  if (rest_.empty()) list_rest();
  for (std::size_t k = rest_.size(); k-- > 0;) {
    const std::uint64_t index = rest_[k];
    const bool is_free = !is_taken(index);
    if (is_free && !take(index)) continue;
    rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>(k));
    if (is_free) return index;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Known::take_sample() {
  for (int draw = 0; draw < kDraws; ++draw) {
    if (const std::uint64_t index = space_.sample(generator_); take(index)) return index;
  }
  return std::nullopt;
}

void Known::list_rest() {
  for (std::uint64_t index = 0; index < space_.size(); ++index) {
    if (!is_taken(index)) rest_.push_back(index);
  }
  for (std::size_t k = rest_.size(); k > 1; --k) {
    std::swap(rest_[k - 1], rest_[below(generator_, k)]);
  }
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
