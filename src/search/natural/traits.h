// Traits: the properties of a configuration that the models know before it is measured.

#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "search/natural/encoding.h"

namespace vyre::natural {

// One configuration.
struct Traits {
  std::uint64_t index = 0;    // in the space
  std::vector<Code> codes;    // by group
  std::vector<float> advice;  // by sibling, in its deviations: below 0 is faster than most
  // Before anything is known, in deviations of the targets: from the siblings, and for its odd
  // factors.
  float expected = 0;
  float expected_odd = 0;
};

// Whether a model sees divisibility, or only the plain values.
enum class View : std::uint8_t { divisibility, plain };

// Many of them, by column.
class Columns {
 public:
  void add(const Traits& one);

  std::size_t size() const { return expected_.size(); }
  Eigen::Map<const Eigen::ArrayXf> advice_of(std::size_t sibling, Eigen::Index first) const {
    return {advice_[sibling].data(), first};
  }
  Eigen::ArrayXf expected(View view) const;
  // How alike x and each of the first `count` are in their products. Computed once for each x.
  Eigen::Map<const Eigen::ArrayXf> likeness(const Traits& x, const Products& products,
                                            Eigen::Index count) const;

  std::vector<std::vector<Code>> codes;  // codes[g][i]

 private:
  std::vector<std::vector<float>> advice_;
  std::vector<float> expected_;
  std::vector<float> expected_odd_;
  mutable std::unordered_map<std::uint64_t, Eigen::ArrayXf> likeness_;  // by x's index
};

}  // namespace vyre::natural
