// CorePlan: how the cores of two stages fit into one frame.

#pragma once

#include <optional>
#include <vector>

#include "fuse/domain.h"
#include "fuse/sizes.h"

namespace vyre::fuse {

struct CorePlan {
  bool keeps_producer = true;  // the frame that stays
  Domain frame{};              // of the stage whose frame stays
  Domain moved{};              // of the other stage
  // The moved domain has one number for what are a row and a column elsewhere: number = row *
  // row_size + column. In the moved stage's symbols.
  std::optional<bounds::Poly> row_size{};
  // The moved core runs in a loop over the columns, and the frame's only number is the row.
  bool is_loop = false;
  // A moved domain with two numbers in a loop: the one that is the row. A frame with two numbers
  // and a moved domain with one: the frame's number that is the row.
  std::size_t row_axis = 0;
};

// All ways that the domains allow. The plans are not checked for sharing.
std::vector<CorePlan> plan_same(const Analysed& producer, const Analysed& consumer);
std::vector<CorePlan> plan_rows(const Analysed& producer, const Analysed& consumer);

}  // namespace vyre::fuse
