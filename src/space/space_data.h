// SpaceData: the content that all copies of a Space share.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "space/row_table.h"
#include "space/trie.h"
#include "vyre/space.h"

namespace vyre::space::detail {

// Either tries, whose product the space is, or rows.
class SpaceData {
 public:
  SpaceData(Definition definition, std::vector<Trie> tries);
  SpaceData(std::vector<Parameter> parameters, RowTable rows);

  const Definition& definition() const { return definition_; }
  const std::vector<Parameter>& parameters() const { return definition_.parameters; }
  std::uint64_t size() const { return size_; }

  void at(std::uint64_t index, std::span<std::uint32_t> out) const;
  std::optional<std::uint64_t> index_of(PointView point) const;
  bool fits(PointView point) const;

  std::uint64_t nearest(std::span<const Wish> wishes) const;
  std::size_t factors() const { return rows_ ? 1 : tries_.size(); }
  std::uint64_t nodes() const;
  std::vector<std::vector<std::uint64_t>> count_values() const;

  // Of the construction; left empty for rows.
  std::vector<ConstraintStatistics> constraints;
  std::uint64_t steps = 0;

 private:
  friend class Neighbourhood;

  Definition definition_;
  std::vector<Trie> tries_;
  std::vector<std::uint64_t> weights_;  // of a trie's index in the whole
  std::vector<std::size_t> trie_of_;    // per parameter
  std::optional<RowTable> rows_;
  std::uint64_t size_ = 0;
};

// The configurations around one point: parameter by parameter, recomputing only the index of the
// trie that the parameter belongs to.
class Neighbourhood {
 public:
  // The point must fit, and outlive this.
  Neighbourhood(const SpaceData& data, PointView point);

  // The index of the point with that one value instead.
  std::optional<std::uint64_t> with(std::size_t parameter, std::uint32_t value);

 private:
  const SpaceData& data_;
  Point point_;
  std::uint64_t base_ = 0;           // of the tries that contain the point
  std::vector<std::uint64_t> part_;  // each trie's share of base_
  std::size_t outside_ = 0;          // tries that do not contain it
  std::size_t outsider_ = 0;         // the last of those
};

}  // namespace vyre::space::detail
