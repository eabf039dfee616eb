// How long tests may take: short in `make test`, long in `make soak`.

#pragma once

#include <cstdint>

namespace vyre::testing {

// Whether this is the long run: the environment has VYRE_SOAK=1, which tools/soak sets.
bool soaking();

// How many cases to try: `usual`, or `soak` in the long run.
std::uint32_t cases(std::uint32_t usual, std::uint32_t soak);

}  // namespace vyre::testing
