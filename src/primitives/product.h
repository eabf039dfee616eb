// Matrix products in f32, by tiles. fisher_block and inverse_sqrt spend their time here.
//
// An invocation computes four rows by 4 * `quads` columns (a tunable) of the product. Its inner
// loop runs along rows of the right matrix, without guards, four terms per turn, so that compilers
// for CPUs vectorise it. With few columns it is the usual kernel of a GPU. Matrices are padded to
// whole tiles; surplus rows and columns hold zeros. Sides are shapes, so that one compiled kernel
// serves all sizes of one tile.

#pragma once

#include <cstdint>
#include <functional>

#include "vyre/builder.h"

namespace vyre::primitives {

// The default of `quads` for matrices of n columns: at most 128 columns, and less than 16 columns
// of padding.
std::uint32_t quads_for(std::uint32_t n);

// n rounded up to whole tiles: the padded side. `s` is the sequence that the matrices live in.
ir::Value padded_side(ir::SequenceBuilder& s, std::uint32_t n);

// Rounded up to the terms that one turn of the product takes.
std::uint32_t padded_depth(std::uint32_t k);

struct TileProduct {
  std::uint32_t quads = 0;       // the default
  ir::Value side;                // of the product
  ir::Value depth;               // terms of a sum; a multiple of 4
  bool left_transposed = false;  // left is depth x side instead of side x depth
};

// Declares workgroup and grid, then calls `store(row, column, sum)` for every cell of the tile of
// this invocation. Rows and columns are below the side. `after` ends the tile.
void for_each_product(
    ir::Builder& b, const TileProduct& product, const ir::Array& left, const ir::Array& right,
    const std::function<void(const ir::Value&, const ir::Value&, const ir::Value&)>& store,
    const std::function<void()>& after = [] {});

}  // namespace vyre::primitives
