// Programs over rows in which a workgroup does a row, in text form.

#pragma once

#include <string>

#include "testing/row_programs.h"

namespace vyre::testing {

// Makes one number of each row: each lane starts with `start` and does `most = step` for its
// elements; then halves of the lanes are combined, and the first lane stores `end`.
inline std::string group_program(const std::string& name, const std::string& declarations,
                                 const std::string& start, const std::string& step,
                                 const std::string& combined, const std::string& store) {
  return "program " + name + R"( {
  shape rows: u32
  shape cols: u32
  tunable lanes: u32 = 4u in 1u, 2u, 4u, 8u
  )" + declarations +
         R"(
  local part: f32[lanes]
  workgroup [lanes]
  grid [rows]
  let r: u32 = group_id(0)
  let lane: u32 = local_id(0)
  var most: f32 = )" +
         start + R"(
  for c: u32 in lane .. cols step lanes {
    most = )" +
         step + R"(
  }
  part[lane] = most
  barrier
  var width: u32 = lanes
  while width > 1u limit 16u {
    let half: u32 = (width + 1u) / 2u
    if lane + half < width {
      part[lane] = )" +
         combined + R"(
    }
    barrier
    width = half
  }
  if lane == 0u {
    )" + store +
         R"(
  }
}
)";
}

// A map over the row of each workgroup.
inline std::string group_map(const std::string& name, const std::string& declarations,
                             const std::string& store, const std::string& lanes = "lanes") {
  return "program " + name + R"( {
  shape rows: u32
  shape cols: u32
  tunable )" +
         lanes + ": u32 = 4u in 1u, 2u, 4u, 8u " + declarations + R"(
  workgroup [)" +
         lanes + R"(]
  grid [rows]
  let r: u32 = group_id(0)
  for c: u32 in local_id(0) .. cols step )" +
         lanes + R"( {
    )" + store +
         R"(
  }
}
)";
}

inline const std::string kAdded = "part[lane] + part[lane + half]";
inline const std::string kGroupMax = group_program(
    "row_max", "read x: f32[rows * cols] write largest: f32[rows]", "f32(0xff800000)",
    "max(most, x[r * cols + c])", "max(part[lane], part[lane + half])", "largest[r] = part[0u]");
inline const std::string kGroupSum =
    group_program("row_sum", "read x: f32[rows * cols] write total: f32[rows]", "0f",
                  "most + x[r * cols + c]", kAdded, "total[r] = part[0u]");
inline const std::string kGroupSquares = group_program(
    "row_squares", "read x: f32[rows * cols] write variance: f32[rows]", "0f",
    "most + x[r * cols + c] * x[r * cols + c]", kAdded, "variance[r] = part[0u] / f32(cols)");
// The sum of a row from which its statistic is taken away.
inline const std::string kGroupShift = group_program(
    "row_shift", "read x: f32[rows * cols] read largest: f32[rows] write total: f32[rows]", "0f",
    "most + (x[r * cols + c] - largest[r])", kAdded, "total[r] = part[0u]");
inline const std::string kGroupExponential =
    group_map("exponential",
              "read x: f32[rows * cols] read largest: f32[rows] write weights: f32[rows * cols]",
              "weights[r * cols + c] = exp(x[r * cols + c] - largest[r])");
inline const std::string kGroupDivide = group_map(
    "divide", "read weights: f32[rows * cols] read total: f32[rows] write out: f32[rows * cols]",
    "out[r * cols + c] = weights[r * cols + c] / total[r]");

inline const std::string kShifted = R"(sequence shifted {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  scratch largest: f32[rows]
  write total: f32[rows]
  run row_max(x, largest; rows = rows, cols = cols)
  run row_shift(x, largest, total; rows = rows, cols = cols)
}
)";
inline const std::string kGroupSiblings = R"(sequence siblings {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  write largest: f32[rows]
  write total: f32[rows]
  run row_max(x, largest; rows = rows, cols = cols)
  run row_sum(x, total; rows = rows, cols = cols)
}
)";
inline const std::string kGroupBeside = R"(sequence beside {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  write largest: f32[rows]
  write squares: f32[rows * cols]
  run row_max(x, largest; rows = rows, cols = cols)
  run square(x, squares)
}
)";
inline const std::string kGroupTwice = R"(sequence twice {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  read largest: f32[rows]
  scratch weights: f32[rows * cols]
  write out: f32[rows * cols]
  run exponential(x, largest, weights; rows = rows, cols = cols)
  run again(weights, largest, out; rows = rows, cols = cols)
}
)";
// Softmax without its maximum: a row is kept, summed up and divided.
inline const std::string kShares = R"(sequence shares {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  read largest: f32[rows]
  scratch weights: f32[rows * cols]
  scratch total: f32[rows]
  write out: f32[rows * cols]
  run exponential(x, largest, weights; rows = rows, cols = cols)
  run row_sum(weights, total; rows = rows, cols = cols)
  run divide(weights, total, out; rows = rows, cols = cols)
}
)";

}  // namespace vyre::testing
