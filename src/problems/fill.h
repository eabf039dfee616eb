// The data that buffers are filled with: as T1 asks for it, and as another machine makes it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "problems/t1_types.h"

namespace vyre {

struct Filled {
  std::vector<std::byte> bytes = {};
  Origin origin = {};
};

// `elements` elements as FillType says. Constant: FillValue. Random: uniform from 0 to below
// FillValue (by default below 1, integers below 100), the same for the same RandomSeed on every
// machine. BinaryRaw: a file of exactly that size, named relative to `folder`. No FillType: zeros.
// Other types are errors that say what to do.
Expected<Filled> filled(const recording::ArgumentSpecification& argument, const T1Type& type,
                        std::uint64_t elements, const std::filesystem::path& folder);

// The bytes of an origin that says numbers; none if it says none, or if they are more than
// kMostDataBytes.
std::optional<std::vector<std::byte>> made_from(const Origin& origin);

// The limit for one buffer: a mistyped size should be an error, and should not use up the machine's
// memory.
inline constexpr std::uint64_t kMostDataBytes = std::uint64_t{1} << 31U;

// Uniform in [0, 1), for element k of the seed's sequence.
double uniform(std::uint64_t seed, std::uint64_t k);

}  // namespace vyre
