// How long tests may take: short in `make test`, long in `make soak`.

#pragma once

#include <cstdint>

namespace vyre::testing {

// Whether this is the long run: the environment has VYRE_SOAK=1, which tools/soak sets.
bool soaking();

// Whether this build has AddressSanitizer or ThreadSanitizer, which make tests many times slower.
bool sanitizing();

// How many cases to try: `usual`, or `soak` in the long run.
std::uint32_t cases(std::uint32_t usual, std::uint32_t soak);
// The same, with fewer of them under a sanitizer, where the long run has `usual` ones. For tests
// that another build runs in full.
std::uint32_t cases(std::uint32_t usual, std::uint32_t soak, std::uint32_t sanitized);

}  // namespace vyre::testing
