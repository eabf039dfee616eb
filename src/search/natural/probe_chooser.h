// ProbeChooser: the choice of the next probe, computed by the substrate's own programs.
//
// Over a shortlist of candidates the policy is a softmax of their costs, its gradient is
// preconditioned by a metric, and the largest component is the next probe. Both the softmax and the
// product with the metric run as programs of the kernel language, in Q16.

#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "vyre/substrate/pick.h"

namespace vyre::natural {

class ProbeChooser {
 public:
  ProbeChooser();

  // Which of the candidates to probe, the first of equals. Lower costs are better, in units of the
  // temperature; as many as the metric has rows, at least one. Negative entries of the metric
  // count as zero, and its scale does not matter.
  std::size_t choose(std::span<const double> costs, const Eigen::MatrixXf& metric);

 private:
  std::unique_ptr<Dispatcher> dispatcher_;
  substrate::NaturalScratch scratch_;
  std::vector<std::uint32_t> metric_;
  std::vector<std::uint32_t> gradient_;
};

}  // namespace vyre::natural
