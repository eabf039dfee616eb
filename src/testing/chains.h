// The chains of examples/chains: their data, the fused programs written by hand beside them, and
// what plain C++ computes. Tests and benchmarks of fusion take them from here.
//
// A Problem made here has random inputs in [-1, 1) that depend on names and sizes only. So the
// chain, what is fused from it and what was fused by hand compute the same.

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testing/oracles/chain_data.h"
#include "vyre/problem.h"

namespace vyre::testing {

struct Chain {
  std::string_view name;
  ProblemSizes small;  // uneven sizes, for tests
  std::vector<std::pair<std::string, float>> scalars;
  ChainOutputs (*expected)(const ChainData& data);
  bool must_gain;  // one of those over which the gain of fusion has a goal
};
std::span<const Chain> chains();

// `top` is the source folder. The texts are files of ours, so a mistake in them ends the program.
ir::Sequence chain_as_written(const std::filesystem::path& top, const Chain& chain);
ir::Sequence chain_by_hand(const std::filesystem::path& top, const Chain& chain);

// The parameters of the space that a sequence's tunables declare, without constraints.
space::Definition space_of(const ir::Sequence& sequence);

// A shape that `sizes` does not name has the size that the text names. `space` must contain the
// defaults.
Expected<Problem> chain_problem(const Chain& chain, const ir::Sequence& sequence,
                                const ProblemSizes& sizes, const space::Definition& space);
Expected<Problem> chain_problem(const Chain& chain, const ir::Sequence& sequence,
                                const ProblemSizes& sizes);

ChainData data_of(const Problem& problem);

}  // namespace vyre::testing
