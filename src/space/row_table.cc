#include "space/row_table.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.h"

namespace vyre::space::detail {

RowTable::RowTable(std::size_t dimensions, std::size_t rows) : dimensions_(dimensions) {
  cells_.reserve(dimensions * rows);
  slots_.resize(std::bit_ceil(rows * 2 + 2));
}

// Where the row is, or the free slot where it would be.
std::size_t RowTable::slot_of(PointView point) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (const std::uint32_t value : point) {
    hash = (hash ^ value) * 0xbf58476d1ce4e5b9;
    hash ^= hash >> 29;
  }
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot] != 0 && !std::ranges::equal(at(slots_[slot] - 1), point)) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

std::optional<std::uint64_t> RowTable::add(PointView row) {
  const std::size_t slot = slot_of(row);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  slots_[slot] = size() + 1;
  cells_.insert(cells_.end(), row.begin(), row.end());
  return std::nullopt;
}

std::optional<std::uint64_t> RowTable::index_of(PointView point) const {
  const std::uint64_t found = slots_[slot_of(point)];
  if (found == 0) return std::nullopt;
  return found - 1;
}

std::uint64_t RowTable::nearest(std::span<const Wish> wishes) const {
  std::uint64_t best = 0;
  std::pair<std::uint64_t, std::uint64_t> least{~0ULL, 0};  // changes, steps
  for (std::uint64_t row = 0; row < size(); ++row) {
    std::pair<std::uint64_t, std::uint64_t> cost{0, 0};
    const PointView point = at(row);
    for (std::size_t i = 0; i < dimensions_; ++i) {
      const std::uint32_t wanted = wishes[i].value;
      const std::uint32_t steps = std::max(point[i], wanted) - std::min(point[i], wanted);
      cost.first += steps != 0 || !wishes[i].listed ? 1 : 0;
      cost.second += steps;
    }
    if (cost >= least) continue;
    least = cost;
    best = row;
  }
  return best;
}

}  // namespace vyre::space::detail
