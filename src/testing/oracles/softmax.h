// The exact result of softmax_step, in plain C++. Only tests link this.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vyre::testing {

std::vector<std::uint32_t> softmax_step(std::span<const std::uint32_t> pre_exp);

}  // namespace vyre::testing
