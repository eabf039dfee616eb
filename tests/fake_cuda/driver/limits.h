// The limits that the fake device states and holds: those of a card of compute capability 8.0.

#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace fake_cuda {

inline constexpr std::uint32_t kMostThreads = 1024;
inline constexpr std::array<std::uint32_t, 3> kMostBlock{1024, 1024, 64};
inline constexpr std::array<std::uint32_t, 3> kMostGrid{2147483647, 65535, 65535};
inline constexpr std::uint64_t kMostShared = 48 * 1024;        // without asking
inline constexpr std::uint64_t kMostSharedAsked = 163 * 1024;  // after cuFuncSetAttribute
inline constexpr std::uint64_t kMostConstant = 64 * 1024;
inline constexpr int kMostRegisters = 255;

// By CUDA's number (CUdevice_attribute). Nothing for a number that CUDA does not have.
std::optional<int> device_attribute(int attribute, int device);

}  // namespace fake_cuda
