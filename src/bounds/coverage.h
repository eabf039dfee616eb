// Coverage: whether a launch writes every element of a buffer before anything reads it, so that
// nobody can see what the buffer held before.
//
// The common case, one plain store of every invocation to the element of its own number on axis 0,
// is found without an analysis. Accesses proves the others: several axes, loops over items, rows
// that are stored and loaded again. It is conservative: "no" means that nothing was proved.

#pragma once

#include <array>
#include <cstdint>

#include "ir/rewrite/fold.h"
#include "vyre/program.h"

namespace vyre::bounds {

struct KnownLaunch {
  ir::SymbolBits symbols;  // the bits of all symbols of the program
  std::array<std::uint32_t, 3> groups{};
  std::array<std::uint32_t, 3> workgroup{};
};

// `length` is that of the buffer. Source programs prove nothing.
bool covers(const ir::Program& program, std::uint32_t buffer, std::uint64_t length,
            const KnownLaunch& launch);

}  // namespace vyre::bounds
