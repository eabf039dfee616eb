// Matrix products in f32, by tiles: what fisher_block and inverse_sqrt spend their time on.
//
// An invocation computes four rows by `columns` columns (a tunable) of the product. Its inner loop
// runs along rows of the right matrix, without guards, four terms per turn, so that compilers for
// CPUs vectorise it; with few columns it is the usual coalesced kernel of a GPU. Matrices have
// padded sides for that: surplus rows and columns hold zeros.

#pragma once

#include <cstdint>
#include <functional>

#include "vyre/builder.h"

namespace vyre::primitives {

// How a side of n elements is padded, and how many columns a tile has by default.
struct Tiling {
  std::uint32_t side = 0;     // a multiple of 4 and of `columns`, below n + 16
  std::uint32_t columns = 0;  // at most 128
};
Tiling tiling_for(std::uint32_t n);

// Rounded up to the terms that one turn of the product takes.
std::uint32_t padded_depth(std::uint32_t k);

struct TileProduct {
  Tiling tiling;
  std::uint32_t depth = 0;       // terms of a sum; a multiple of 4
  bool left_transposed = false;  // left is depth x side instead of side x depth
};

// Declares workgroup and grid, then calls `store(row, column, sum)` for every cell of the tile of
// this invocation. Rows and columns are below the padded side. `after` ends the tile.
void for_each_product(
    ir::Builder& b, const TileProduct& product, const ir::Array& left, const ir::Array& right,
    const std::function<void(const ir::Value&, const ir::Value&, const ir::Value&)>& store,
    const std::function<void()>& after = [] {});

}  // namespace vyre::primitives
