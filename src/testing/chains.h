// The chains of examples/chains: their data, the fused programs written by hand beside them, and
// what plain C++ computes. Tests and benchmarks of fusion take them from here.
//
// A chain and its fused form by hand declare the same inputs in the same order, so their problems
// have the same data.

#pragma once

#include <filesystem>
#include <iosfwd>
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
void PrintTo(const Chain& chain, std::ostream* out);  // for test reports

// `top` is the source folder. The texts are files of ours, so a mistake in them ends the program.
ir::Sequence chain_as_written(const std::filesystem::path& top, const Chain& chain);
ir::Sequence chain_by_hand(const std::filesystem::path& top, const Chain& chain);

// The parameters of the space that a sequence's tunables declare, without constraints.
space::Definition space_of(const ir::Sequence& sequence);

// Whether the space has the plans that fusion allows, or only the tunables that are written.
enum class Plans : std::uint8_t { none, all };

// A shape that `sizes` does not name has the size that the text names.
Expected<Problem> problem_for(const Chain& chain, const ir::Sequence& sequence,
                              const ProblemSizes& sizes, Plans plans = Plans::none);

ChainData data_of(const Problem& problem);

}  // namespace vyre::testing
