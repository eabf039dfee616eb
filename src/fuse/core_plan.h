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
  // A loop around the moved core: its turns, in the moved stage's symbols. None: both domains have
  // the same axes, in the same order.
  std::optional<bounds::Poly> row_size{};
  // Of the moved domain, if it has two: the axis that is the frame's number.
  std::size_t row_axis = 0;
};

// All ways that the domains allow. The plans are not checked for sharing.
std::vector<CorePlan> plan_same(Analysed& producer, Analysed& consumer);
std::vector<CorePlan> plan_rows(Analysed& producer, Analysed& consumer);

}  // namespace vyre::fuse
