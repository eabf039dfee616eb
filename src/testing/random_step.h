// The programs of random chains, as text: see random_chain.h.

#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "vyre/program.h"

namespace vyre::testing {

// How many elements a buffer of a random chain has.
enum class Span : std::uint8_t { matrix, row, column };  // rows * cols; one per row; one per column

struct ChainBuffer {
  std::string name;
  ir::Scalar type = ir::Scalar::f32;
  Span span = Span::matrix;
};

// Text of the length: "rows * cols".
std::string length_text(Span span);

enum class StepKind : std::uint8_t {
  map,           // one axis over all elements of the output
  map2,          // two axes over a matrix
  row_sum,       // an invocation per row, to an element per row
  row_write,     // an invocation per row, to a matrix
  column_sum,    // an invocation per strip of columns, to an element per column
  slide,         // an invocation per strip of rows in one column, to a matrix
  group_sum,     // a workgroup per row, with a barrier
  atomic_count,  // counts into a vector of u32
};

struct StepPlan {
  StepKind kind = StepKind::map;
  std::string name;
  std::vector<ChainBuffer> reads;
  ChainBuffer output;
  bool in_place = false;  // the output is also an input, read at the element that is written
};

// A valid program whose bound buffers are `reads` and then `output`, all named as there, and whose
// symbols are the shapes rows and cols and the scalars s (f32) and t (u32). Invocations of one
// launch do not race.
std::string program_text(const StepPlan& step, std::mt19937_64& random);

}  // namespace vyre::testing
