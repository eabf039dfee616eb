#include "space/space_data.h"

#include "base/check.h"

namespace vyre::space::detail {

SpaceData::SpaceData(Definition definition, std::vector<Trie> tries)
    : definition_(std::move(definition)),
      tries_(std::move(tries)),
      weights_(tries_.size()),
      trie_of_(definition_.parameters.size()),
      size_(1) {
  for (std::size_t t = tries_.size(); t-- > 0;) {
    weights_[t] = size_;
    size_ *= tries_[t].size();
    for (const std::size_t p : tries_[t].parameters()) trie_of_[p] = t;
  }
}

SpaceData::SpaceData(std::vector<Parameter> parameters, RowTable rows)
    : definition_{std::move(parameters), {}}, rows_(std::move(rows)), size_(rows_->size()) {}

void SpaceData::at(std::uint64_t index, std::span<std::uint32_t> out) const {
  VYRE_CHECK(index < size_ && out.size() == parameters().size());
  if (rows_) {
    std::ranges::copy(rows_->at(index), out.begin());
    return;
  }
  for (std::size_t t = 0; t < tries_.size(); ++t) {
    tries_[t].at(index / weights_[t], out);
    index %= weights_[t];
  }
}

bool SpaceData::fits(PointView point) const {
  if (point.size() != parameters().size()) return false;
  for (std::size_t p = 0; p < point.size(); ++p) {
    if (point[p] >= parameters()[p].values.size()) return false;
  }
  return true;
}

std::optional<std::uint64_t> SpaceData::index_of(PointView point) const {
  if (!fits(point)) return std::nullopt;
  if (rows_) return rows_->index_of(point);
  std::uint64_t index = 0;
  for (std::size_t t = 0; t < tries_.size(); ++t) {
    const auto part = tries_[t].index_of(point);
    if (!part) return std::nullopt;
    index += *part * weights_[t];
  }
  return index;
}

std::uint64_t SpaceData::nearest(std::span<const Wish> wishes) const {
  if (rows_) return rows_->nearest(wishes);
  std::uint64_t index = 0;
  for (std::size_t t = 0; t < tries_.size(); ++t) {
    index += tries_[t].nearest(wishes) * weights_[t];
  }
  return index;
}

std::uint64_t SpaceData::nodes() const {
  std::uint64_t nodes = rows_ ? rows_->size() : 0;
  for (const Trie& trie : tries_) nodes += trie.nodes();
  return nodes;
}

std::vector<std::vector<std::uint64_t>> SpaceData::count_values() const {
  std::vector<std::vector<std::uint64_t>> counts;
  for (const Parameter& parameter : parameters()) counts.emplace_back(parameter.values.size());
  for (std::uint64_t row = 0; rows_ && row < size_; ++row) {
    const PointView point = rows_->at(row);
    for (std::size_t p = 0; p < point.size(); ++p) ++counts[p][point[p]];
  }
  for (const Trie& trie : tries_) {
    trie.count_values(counts);
    for (const std::size_t p : trie.parameters()) {
      for (std::uint64_t& count : counts[p]) count *= size_ / trie.size();
    }
  }
  return counts;
}

Neighbourhood::Neighbourhood(const SpaceData& data, PointView point)
    : data_(data), point_(point.begin(), point.end()), part_(data.tries_.size()) {
  for (std::size_t t = 0; t < part_.size(); ++t) {
    const auto index = data.tries_[t].index_of(point_);
    if (index) {
      part_[t] = *index * data.weights_[t];
      base_ += part_[t];
    } else {
      ++outside_;
      outsider_ = t;
    }
  }
}

std::optional<std::uint64_t> Neighbourhood::with(std::size_t parameter, std::uint32_t value) {
  const std::uint32_t before = std::exchange(point_[parameter], value);
  std::optional<std::uint64_t> index;
  if (data_.rows_) {
    index = data_.rows_->index_of(point_);
  } else {
    const std::size_t t = data_.trie_of_[parameter];
    const bool others_valid = outside_ == 0 || (outside_ == 1 && outsider_ == t);
    if (others_valid) index = data_.tries_[t].index_of(point_);
    if (index) index = base_ - part_[t] + *index * data_.weights_[t];
  }
  point_[parameter] = before;
  return index;
}

}  // namespace vyre::space::detail
