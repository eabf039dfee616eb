// C++ numbers as constants of the kernel: exactly, or not at all.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vyre/value.h"

namespace vyre::ir {

// The bits of the literal as that scalar, if the scalar holds the literal exactly.
std::optional<std::uint64_t> literal_bits(const Literal& literal, Scalar type);

// For messages: "true", "-3", "0.5".
std::string to_string(const Literal& literal);

}  // namespace vyre::ir
