// ProbeSelector: the choice of the next probe, computed by the substrate's own programs.
//
// Over a shortlist of candidates the policy is a softmax of their costs. Its gradient is
// preconditioned by a metric, and the largest component is the next probe. The softmax and the
// product with the metric run as programs of the kernel language, in Q16.

#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "vyre/substrate/pick.h"

namespace vyre::natural {

class ProbeSelector {
 public:
  ProbeSelector();

  // The index of the candidate to probe, the first of equals. Lower costs are better, in units of
  // the temperature. There are as many costs as the metric has rows, at least one. Negative entries
  // of the metric count as zero, and its scale does not matter.
  std::size_t choose(std::span<const double> costs, const Eigen::MatrixXf& metric);

 private:
  std::unique_ptr<Dispatcher> dispatcher_;
  substrate::NaturalScratch scratch_;
  std::vector<std::uint32_t> metric_;
  std::vector<std::uint32_t> gradient_;
};

}  // namespace vyre::natural
