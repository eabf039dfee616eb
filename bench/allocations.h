// How often this program has asked for memory in C++.

#pragma once

#include <cstddef>

namespace vyre::bench {

std::size_t allocations();

}  // namespace vyre::bench
