// The exact result of tt_contract_step, in plain C++. Only tests link this.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vyre::testing {

// The core has acc.size() rows.
std::vector<std::uint32_t> tt_contract_step(std::span<const std::uint32_t> acc,
                                            std::span<const std::uint32_t> core);

}  // namespace vyre::testing
