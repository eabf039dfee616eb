// Traits: the properties of a configuration that the models know before it is measured.

#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "search/natural/encoding.h"

namespace vyre::natural {

// One configuration.
struct Traits {
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

  std::vector<std::vector<Code>> codes;  // codes[g][i]

 private:
  std::vector<std::vector<float>> advice_;
  std::vector<float> expected_;
  std::vector<float> expected_odd_;
};

}  // namespace vyre::natural
