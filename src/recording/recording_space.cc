#include <utility>

#include "vyre/recording.h"

namespace vyre::recording {

Expected<space::Space> to_space(const Recording& recording) {
  std::vector<space::Point> points;
  points.reserve(recording.rows.size());
  for (const Row& row : recording.rows) points.push_back(row.point);
  return space::Space::from_rows(recording.parameters, std::move(points));
}

}  // namespace vyre::recording
