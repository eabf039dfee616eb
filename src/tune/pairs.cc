#include "tune/pairs.h"

#include <algorithm>
#include <utility>

namespace vyre {

void Pairs::choose(std::vector<std::uint64_t> rivals) {
  rivals_ = std::move(rivals);
  order_ = rivals_;
  ns_.assign(rivals_.size(), {});
  place_ = 0;
  rounds_ = 0;
}

bool Pairs::has_rivals(std::span<const std::uint64_t> rivals) const {
  return std::ranges::equal(rivals_, rivals);
}

void Pairs::tell(double ns) {
  const auto at = std::ranges::find(rivals_, next()) - rivals_.begin();
  ns_[static_cast<std::size_t>(at)].push_back(ns);
  if (++place_ < order_.size()) return;
  place_ = 0;
  ++rounds_;
  std::ranges::reverse(order_);
}

bool Pairs::is_enough(double limit, double now) const {
  if (rounds_ >= kMost) return true;
  return limit > 0 && now >= limit && rounds_ >= kFewest;
}

std::span<const double> Pairs::samples_ns(std::uint64_t index) const {
  const auto at = std::ranges::find(rivals_, index);
  if (at == rivals_.end()) return {};
  return std::span(ns_[static_cast<std::size_t>(at - rivals_.begin())]).first(rounds_);
}

}  // namespace vyre
