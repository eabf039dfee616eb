// Programs for tests of tuning: their results never depend on how they are launched.

#pragma once

#include "vyre/call.h"
#include "vyre/space.h"
#include "vyre/tune.h"

namespace vyre::testing {

// out[i] = 3 x[i] + 1, in u32. No tunables: the workgroup size is free.
const ir::Sequence& free_program();

// x[i] += 7, in u32, after `work` rounds that change nothing but the time: 512 by default. `block`
// is the workgroup size: 16 by default.
const ir::Sequence& busy_program();
// work 1 to 512, block 16 and 32.
space::Space busy_space();

// out[i] = x[i] + tile, in u32: every other configuration than the default (1) is wrong.
const ir::Sequence& wrong_program();

// y = k in four elements of u32, where the tunable k is 1 by default, 2 or 3: the default is right.
Problem three_configurations();

// An input of so many elements, and the results of the programs above for it.
std::vector<std::uint32_t> words(std::size_t count);
std::vector<std::uint32_t> free_result(std::size_t count);
std::vector<std::uint32_t> busy_result(std::size_t count);

}  // namespace vyre::testing
