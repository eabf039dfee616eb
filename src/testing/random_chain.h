// Random chains: sequences of 2 to 5 small programs that can often be fused, and often just not.
//
// A chain works on matrices of rows x cols elements, on vectors with an element per row or per
// column, of f32, u32 and i32. Its steps are maps over one or two axes, stencils, sums of rows and
// of strips of columns, updates in place, siblings that share an input; and steps that look like
// them but miss a rule: a store under a condition on a value, a transposed index, an element left
// out, atomics, barriers. No chain has a race, and all are valid.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "vyre/call.h"
#include "vyre/program.h"

namespace vyre::testing {

struct RandomChain {
  std::uint64_t seed = 0;
  std::string text;  // as it was parsed
  ir::Sequence sequence;
};

// A function of the seed. A text that is not valid is a bug of ours and ends the program.
RandomChain random_chain(std::uint64_t seed);

// Data of a call. Floats have NaNs, infinities, denormals and both zeros among them.
struct RandomCall {
  std::vector<std::vector<std::byte>> inputs;
  std::vector<std::pair<std::string, std::uint64_t>> arguments;
};
RandomCall random_call(const RandomChain& chain, std::uint32_t rows, std::uint32_t cols);

}  // namespace vyre::testing
