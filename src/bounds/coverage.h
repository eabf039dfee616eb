// Coverage: whether a launch writes every element of a buffer, so that nobody can see what the
// buffer held before.
//
// The proof looks for one plain store that every invocation makes: to the element of its own number
// on axis 0, outside of loops, under no condition but that this number is below some size. It is
// conservative: "no" means that nothing was proved.

#pragma once

#include <array>
#include <cstdint>

#include "ir/rewrite/fold.h"
#include "vyre/program.h"

namespace vyre::bounds {

// Of one launch: `symbols` has the bits of all symbols of the program, `length` is that of the
// buffer, `invocations` counts those on axis 0. Source programs prove nothing.
bool covers(const ir::Program& program, std::uint32_t buffer, ir::SymbolBits symbols,
            std::uint64_t length, std::uint64_t invocations);

}  // namespace vyre::bounds
