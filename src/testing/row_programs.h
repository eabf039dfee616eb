// Programs over rows in text form, as a library of row operations and maps would have them.

#pragma once

#include <string>

namespace vyre::testing {

// The text with one part replaced. The part must be there.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

// A program that makes one number of each row: `start`, then `value = step` for each element.
inline std::string row_program(const std::string& name, const std::string& output,
                               const std::string& start, const std::string& step,
                               const std::string& end = "most") {
  return "program " + name + R"( {
  shape rows: u32
  shape cols: u32
  tunable rows_block: u32 = 16u
  read x: f32[rows * cols]
  write )" +
         output + R"(: f32[rows]
  workgroup [rows_block]
  grid [(rows + rows_block - 1u) / rows_block]
  let r: u32 = global_id(0)
  if r < rows {
    var most: f32 = )" +
         start + R"(
    for c: u32 in 0u .. cols unroll 4u {
      most = )" +
         step + R"(
    }
    )" + output +
         "[r] = " + end + R"(
  }
}
)";
}

// A map over rows and columns, several columns for each invocation.
inline std::string map_program(const std::string& name, const std::string& declarations,
                               const std::string& store) {
  return "program " + name + R"( {
  shape rows: u32
  shape cols: u32
  )" + declarations +
         R"(
  workgroup [block]
  grid [(cols + block * items - 1u) / (block * items), rows]
  let r: u32 = global_id(1)
  for k: u32 in 0u .. items unroll items {
    let c: u32 = global_id(0) * items + k
    if c < cols & r < rows {
      )" +
         store + R"(
    }
  }
}
)";
}

// A map over all elements.
inline std::string flat_program(const std::string& name, const std::string& declarations,
                                const std::string& store) {
  return "program " + name + R"( {
  shape n: u32
  )" + declarations +
         R"(
  workgroup [block]
  grid [(n + block * items - 1u) / (block * items)]
  for k: u32 in 0u .. items unroll items {
    let i: u32 = global_id(0) * items + k
    if i < n {
      )" +
         store + R"(
    }
  }
}
)";
}

inline const std::string kTunables = "tunable block: u32 = 64u tunable items: u32 = 1u ";
inline const std::string kRowMax =
    row_program("row_max", "largest", "f32(0xff800000)", "max(most, x[r * cols + c])");
inline const std::string kRowSum = row_program("row_sum", "total", "0f", "most + x[r * cols + c]");
inline const std::string kRowSquares =
    row_program("row_squares", "variance", "0f", "most + x[r * cols + c] * x[r * cols + c]",
                "most / f32(cols)");
inline const std::string kExponential = map_program(
    "exponential",
    kTunables + "read x: f32[rows * cols] read largest: f32[rows] write weights: f32[rows * cols]",
    "weights[r * cols + c] = exp(x[r * cols + c] - largest[r])");
inline const std::string kDivide = map_program(
    "divide",
    kTunables + "read weights: f32[rows * cols] read total: f32[rows] write out: f32[rows * cols]",
    "out[r * cols + c] = weights[r * cols + c] / total[r]");
inline const std::string kCenter = map_program(
    "center",
    kTunables + "read x: f32[rows * cols] read mean: f32[rows] write centered: f32[rows * cols]",
    "centered[r * cols + c] = x[r * cols + c] - mean[r] / f32(cols)");
inline const std::string kNormalise =
    map_program("normalise",
                "scalar epsilon: f32 " + kTunables +
                    "read x: f32[rows * cols] read variance: f32[rows] read gain: f32[cols] write "
                    "out: f32[rows * cols]",
                "out[r * cols + c] = x[r * cols + c] * rsqrt(variance[r] + epsilon) * gain[c]");
inline const std::string kScaleRows =
    map_program("scale_rows",
                kTunables +
                    "read x: f32[rows * cols] read factor: f32[rows] read gain: f32[cols] write "
                    "out: f32[rows * cols]",
                "out[r * cols + c] = x[r * cols + c] * factor[r] * gain[c]");
inline const std::string kSquare = flat_program(
    "square", kTunables + "read x: f32[n] write squares: f32[n]", "squares[i] = x[i] * x[i]");
inline const std::string kInverse = flat_program(
    "inverse", "scalar epsilon: f32 " + kTunables + "read x: f32[n] write inverse: f32[n]",
    "inverse[i] = rsqrt(x[i] + epsilon)");
inline const std::string kFlatExponential =
    flat_program("exponential",
                 "shape cols: u32 " + kTunables +
                     "read x: f32[n] read largest: f32[n / cols] write weights: f32[n]",
                 "weights[i] = exp(x[i] - largest[i / cols])");
inline const std::string kFlatDivide =
    flat_program("divide",
                 "shape cols: u32 " + kTunables +
                     "read weights: f32[n] read total: f32[n / cols] write out: f32[n]",
                 "let row: u32 = i / cols let again: u32 = row * cols + i % cols out[i] = "
                 "weights[again] / total[row]");
// One element of a product of matrices for each invocation.
inline const std::string kScores = R"(program scores {
  shape rows: u32
  shape cols: u32
  shape depth: u32
  tunable block: u32 = 64u
  read q: f32[rows * depth]
  read k: f32[cols * depth]
  write raw: f32[rows * cols]
  workgroup [block]
  grid [(rows * cols + block - 1u) / block]
  let i: u32 = global_id(0)
  if i >= rows * cols {
    return
  }
  var sum: f32 = 0f
  for p: u32 in 0u .. depth {
    sum = fma(q[(i / cols) * depth + p], k[(i % cols) * depth + p], sum)
  }
  raw[i] = sum
}
)";
inline const std::string kZeroing = R"(program zeroing {
  shape rows: u32
  tunable rows_block: u32 = 16u
  write largest: f32[rows]
  workgroup [rows_block]
  grid [(rows + rows_block - 1u) / rows_block]
  let r: u32 = global_id(0)
  if r < rows {
    largest[r] = 1f
  }
}
)";

inline const std::string kSoftmax = R"(sequence softmax {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  scratch largest: f32[rows]
  scratch weights: f32[rows * cols]
  scratch total: f32[rows]
  write out: f32[rows * cols]
  run row_max(x, largest; rows = rows, cols = cols)
  run exponential(x, largest, weights; rows = rows, cols = cols)
  run row_sum(weights, total; rows = rows, cols = cols)
  run divide(weights, total, out; rows = rows, cols = cols)
}
)";
inline const std::string kSoftmaxFlat = R"(sequence softmax {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  scratch largest: f32[rows]
  scratch weights: f32[rows * cols]
  scratch total: f32[rows]
  write out: f32[rows * cols]
  run row_max(x, largest; rows = rows, cols = cols)
  run exponential(x, largest, weights; n = rows * cols, cols = cols)
  run row_sum(weights, total; rows = rows, cols = cols)
  run divide(weights, total, out; n = rows * cols, cols = cols)
}
)";
inline const std::string kLayernorm = R"(sequence layernorm {
  shape rows: u32
  shape cols: u32
  scalar epsilon: f32
  read x: f32[rows * cols]
  read gain: f32[cols]
  scratch mean: f32[rows]
  scratch centered: f32[rows * cols]
  scratch variance: f32[rows]
  write out: f32[rows * cols]
  run row_sum(x, mean; rows = rows, cols = cols)
  run center(x, mean, centered; rows = rows, cols = cols)
  run row_squares(centered, variance; rows = rows, cols = cols)
  run normalise(centered, variance, gain, out; rows = rows, cols = cols, epsilon = epsilon)
}
)";
inline const std::string kRmsnorm = R"(sequence rmsnorm {
  shape rows: u32
  shape cols: u32
  scalar epsilon: f32
  read x: f32[rows * cols]
  read gain: f32[cols]
  scratch squares: f32[rows * cols]
  scratch mean: f32[rows]
  scratch factor: f32[rows]
  write out: f32[rows * cols]
  run square(x, squares)
  run row_sum(squares, mean; rows = rows, cols = cols)
  run inverse(mean, factor; epsilon = epsilon)
  run scale_rows(x, factor, gain, out; rows = rows, cols = cols)
}
)";
inline const std::string kAttention = R"(sequence attention {
  shape rows: u32
  shape cols: u32
  shape depth: u32
  read q: f32[rows * depth]
  read k: f32[cols * depth]
  scratch raw: f32[rows * cols]
  scratch largest: f32[rows]
  scratch weights: f32[rows * cols]
  scratch total: f32[rows]
  write out: f32[rows * cols]
  run scores(q, k, raw; rows = rows, cols = cols, depth = depth)
  run row_max(raw, largest; rows = rows, cols = cols)
  run exponential(raw, largest, weights; rows = rows, cols = cols)
  run row_sum(weights, total; rows = rows, cols = cols)
  run divide(weights, total, out; rows = rows, cols = cols)
}
)";
inline const std::string kSquareSums = R"(sequence square_sums {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  write squares: f32[rows * cols]
  write total: f32[rows]
  run square(x, squares)
  run row_sum(squares, total; rows = rows, cols = cols)
}
)";
inline const std::string kRowPair = R"(sequence pair {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  scratch largest: f32[rows]
  write weights: f32[rows * cols]
  run row_max(x, largest; rows = rows, cols = cols)
  run exponential(x, largest, weights; rows = rows, cols = cols)
}
)";
inline const std::string kZeroed = R"(sequence zeroed {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  write largest: f32[rows]
  run row_max(x, largest; rows = rows, cols = cols)
  run zeroing(largest)
}
)";
inline const std::string kTwoMaps = R"(sequence maps {
  shape n: u32
  read x: f32[n]
  scratch squares: f32[n]
  write fourth: f32[n]
  run square(x, squares)
  run square_again(squares, fourth)
}
)";

}  // namespace vyre::testing
