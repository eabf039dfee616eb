// How long the analysis of a chain takes (examples/chains): which steps may be fused, and the fused
// programs.

#include <fmt/format.h>

#include "testing/bench.h"
#include "testing/chains.h"
#include "vyre/fuse.h"

namespace vyre::testing {
namespace {

VYRE_BENCHMARK(fusion_analysis) {
  for (const Chain& chain : chains()) {
    const ir::Sequence written = chain_as_written(VYRE_SOURCE_DIR, chain);
    report.add({.name = fmt::format("fusion of {}: analysis", chain.name),
                .value = median_ns([&] { keep(fuse::widen(written)); }, {.samples = 9}) / 1e6,
                .unit = "ms",
                .goal = at_most(10)});
  }
}

}  // namespace
}  // namespace vyre::testing
