#include "backend/reference/race_detector.h"

namespace vyre::backend::reference {
namespace {

// Whether two lanes may both do this to one element: two reads or two atomics.
bool may_meet(Touch a, Touch b) { return a == b && a != Touch::write; }

}  // namespace

void RaceDetector::access(Cell cell, Access now) {
  if (race_) return;
  History& history = history_[cell];
  for (const auto& earlier_of_kind : history) {
    for (const std::optional<Access>& earlier : earlier_of_kind) {
      if (!earlier || earlier->lane == now.lane || may_meet(earlier->touch, now.touch)) continue;
      race_ = Race{cell.buffer, cell.element, *earlier, now};
      return;
    }
  }
  auto& [first, other] = history[static_cast<std::size_t>(now.touch)];
  if (!first) {
    first = now;
  } else if (!other && first->lane != now.lane) {
    other = now;
  }
}

}  // namespace vyre::backend::reference
