// The data that T1 asks a buffer to be filled with.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "problems/t1_types.h"

namespace vyre {

// `elements` elements as FillType says: Constant, Random (uniform from 0 to below FillValue; not
// given: below 1, integers below 100; the same for the same RandomSeed on every machine) or
// BinaryRaw (a file of exactly that size, named relative to `folder`). Nothing asked: zeros. Others
// are errors that say what to do.
Expected<std::vector<std::byte>> filled(const recording::Argument& argument, const T1Type& type,
                                        std::uint64_t elements,
                                        const std::filesystem::path& folder);

// Of one buffer: a size that is mistyped should be an error, not the end of the machine's memory.
inline constexpr std::uint64_t kMostDataBytes = std::uint64_t{1} << 31U;

// Uniform in [0, 1), for element k of the seed's sequence.
double uniform(std::uint64_t seed, std::uint64_t k);

}  // namespace vyre
