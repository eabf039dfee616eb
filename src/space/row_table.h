// RowTable: an explicit list of configurations with an index over their contents.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "space/trie.h"
#include "vyre/space.h"

namespace vyre::space::detail {

class RowTable {
 public:
  explicit RowTable(std::size_t dimensions, std::size_t rows);

  // Adds a row. If an equal row is there already, the row is not added, and the result is the
  // number of the earlier one. At most as many rows as given to the constructor.
  std::optional<std::uint64_t> add(PointView row);

  std::uint64_t size() const { return dimensions_ == 0 ? 0 : cells_.size() / dimensions_; }
  PointView at(std::uint64_t index) const {
    return std::span(cells_).subspan(index * dimensions_, dimensions_);
  }
  std::optional<std::uint64_t> index_of(PointView point) const;
  std::uint64_t nearest(std::span<const Wish> wishes) const;

 private:
  std::size_t slot_of(PointView point) const;

  std::size_t dimensions_;
  std::vector<std::uint32_t> cells_;
  std::vector<std::uint64_t> slots_;  // row + 1, or 0; a power of two of them, at most half full
};

}  // namespace vyre::space::detail
