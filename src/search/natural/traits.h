// Traits: the properties of a configuration that the models know before it is measured.

#pragma once

#include <Eigen/Core>
#include <vector>

#include "search/natural/encoding.h"

namespace vyre::natural {

// One configuration.
struct Traits {
  std::vector<Code> codes;    // by group
  std::vector<float> advice;  // by sibling, in its deviations: below 0 is faster than most
  float expected = 0;         // in deviations of the targets
};

// Many of them, by column.
class Columns {
 public:
  void add(const Traits& one);

  std::size_t size() const { return expected_.size(); }
  Eigen::Map<const Eigen::ArrayXf> advice_of(std::size_t sibling, Eigen::Index first) const {
    return {advice_[sibling].data(), first};
  }
  Eigen::Map<const Eigen::ArrayXf> expected() const {
    return {expected_.data(), static_cast<Eigen::Index>(expected_.size())};
  }

  std::vector<std::vector<Code>> codes;  // codes[g][i]

 private:
  std::vector<std::vector<float>> advice_;
  std::vector<float> expected_;
};

}  // namespace vyre::natural
