// The data that T1 asks a buffer to be filled with.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "problems/t1_types.h"

namespace vyre {

// `elements` elements as FillType says. Constant: FillValue. Random: uniform from 0 to below
// FillValue (by default below 1, integers below 100), the same for the same RandomSeed on every
// machine. BinaryRaw: a file of exactly that size, named relative to `folder`. No FillType: zeros.
// Other types are errors that say what to do.
Expected<std::vector<std::byte>> filled(const recording::ArgumentSpecification& argument,
                                        const T1Type& type, std::uint64_t elements,
                                        const std::filesystem::path& folder);

// The limit for one buffer: a mistyped size should be an error, and should not use up the machine's
// memory.
inline constexpr std::uint64_t kMostDataBytes = std::uint64_t{1} << 31U;

// Uniform in [0, 1), for element k of the seed's sequence.
double uniform(std::uint64_t seed, std::uint64_t k);

}  // namespace vyre
