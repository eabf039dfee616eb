// The recorded device of the tests: what the nodes replay, and the problem that is tuned on it.

#pragma once

#include <algorithm>
#include <vector>

#include "testing/landscapes.h"
#include "vyre/builder.h"
#include "vyre/problem.h"
#include "vyre/substrate/search.h"

namespace vyre::testing {

// The same space in the same order, with 1.5 % from each configuration to the next: less than
// devices of one kind differ, and three times what a race takes for equal.
inline recording::Recording dense_landscape() {
  recording::Recording out = small_landscape();
  std::vector<recording::Row*> rows;
  for (recording::Row& row : out.rows) {
    if (row.time_ms) rows.push_back(&row);
  }
  std::ranges::sort(rows, {},
                    [](const recording::Row* row) { return std::pair(*row->time_ms, row); });
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k]->time_ms = 1 + 0.015 * static_cast<double>(k);
  }
  return out;
}

// The space is the recording's. The program is never run.
inline Problem recorded_problem(const Replay& replay) {
  std::uint64_t first = 0;
  while (replay.recording().rows[first].status != Status::ok) ++first;
  const auto program = ir::build("recorded", [](ir::Builder& b) {
    auto y = b.write(ir::u32, "y", 64);
    y[b.global_id(0)] = b.global_id(0);
  });
  return {.name = "recorded",
          .sequence = *ir::Sequence::make(*program),
          .space = replay.space(),
          .default_index = first,
          .inputs = std::make_shared<const Outputs>(Outputs{std::vector<std::byte>(700'000)})};
}

}  // namespace vyre::testing
