// The values of symbols as users and spaces have them.

#pragma once

#include <cstdint>
#include <optional>

#include "vyre/config.h"
#include "vyre/program.h"

namespace vyre::ir {

// Bits of the type as a vyre::Value: a bool, an integer or a double.
vyre::Value value_of(Scalar type, std::uint64_t bits);

// The bits of the type if it has exactly this value. A double is rounded to an f32 only if nothing
// is lost.
std::optional<std::uint64_t> bits_of(const vyre::Value& value, Scalar type);

}  // namespace vyre::ir
