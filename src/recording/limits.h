// Bounds on what one file can make us allocate; all far above anything real.

#pragma once

#include <cstddef>

namespace vyre::recording {

inline constexpr std::size_t kMostRows = 5'000'000;
inline constexpr std::size_t kMostParameters = 1000;
inline constexpr std::size_t kMostValues = 1'000'000;  // of all parameters of a problem
inline constexpr std::size_t kMostParts = 10'000;      // conditions, arguments, references

}  // namespace vyre::recording
