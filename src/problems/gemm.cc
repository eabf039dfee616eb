#include "problems/gemm.h"

#include "problems/bundled.h"

namespace vyre {
namespace {

using namespace ir;
using ir::Value;

const Config kUntuned{{"block_x", 8}, {"block_y", 8}, {"items_x", 1},
                      {"items_y", 1}, {"tile_k", 8},  {"unroll", 1}};

// A tile of `rows` * `cols` elements of a matrix of `width` columns, from its row and column on,
// into local memory, by all invocations of the workgroup.
struct Tile {
  Array from, to;
  Value rows, cols, width;

  void load(Builder& b, const Value& row, const Value& col, const Value& lane,
            const Value& lanes) const {
    b.for_("e", lane, rows * cols, {.step = lanes},
           [&](const Value& e) { to[e] = from[(row + e / cols) * width + col + e % cols]; });
  }
};

// c = a b. A workgroup computes block_y * items_y rows and block_x * items_x columns, in steps of
// tile_k terms that are first brought to local memory; each invocation has items_y * items_x sums.
void body(Builder& b) {
  const Value block_x = tunable(b, kUntuned, "block_x");
  const Value block_y = tunable(b, kUntuned, "block_y");
  const Value items_x = tunable(b, kUntuned, "items_x");
  const Value items_y = tunable(b, kUntuned, "items_y");
  const Value tile_k = tunable(b, kUntuned, "tile_k");
  const Value unroll = tunable(b, kUntuned, "unroll");
  const Value m = b.shape("m");
  const Value n = b.shape("n");
  const Value k = b.shape("k");
  const Array a = b.read(f32, "a", m * k);
  const Array bb = b.read(f32, "b", k * n);
  const Array c = b.write(f32, "c", m * n);
  const Value tile_m = block_y * items_y;
  const Value tile_n = block_x * items_x;
  const Array local_a = b.local(f32, "tile_a", tile_m * tile_k);
  const Array local_b = b.local(f32, "tile_b", tile_k * tile_n);
  const Array sums = b.private_array(f32, "sums", items_x * items_y);
  b.workgroup(block_x, block_y);
  b.grid(n / tile_n, m / tile_m);
  const Value x = b.let("x", b.local_id(0));
  const Value y = b.let("y", b.local_id(1));
  const Value lane = b.let("lane", y * block_x + x);
  const Value row0 = b.let("row0", b.group_id(1) * tile_m);
  const Value col0 = b.let("col0", b.group_id(0) * tile_n);
  const auto each_item = [&](const auto& item) {
    b.for_("iy", 0, items_y, {.unroll = items_y}, [&](const Value& iy) {
      b.for_("ix", 0, items_x, {.unroll = items_x}, [&](const Value& ix) { item(iy, ix); });
    });
  };
  b.for_("t", 0, k, {.step = tile_k}, [&](const Value& t) {
    Tile{a, local_a, tile_m, tile_k, k}.load(b, row0, t, lane, block_x * block_y);
    Tile{bb, local_b, tile_k, tile_n, n}.load(b, t, col0, lane, block_x * block_y);
    b.barrier();
    b.for_("p", 0, tile_k, {.unroll = unroll}, [&](const Value& p) {
      each_item([&](const Value& iy, const Value& ix) {
        sums[iy * items_x + ix] +=
            local_a[(y + iy * block_y) * tile_k + p] * local_b[p * tile_n + x + ix * block_x];
      });
    });
    b.barrier();
  });
  each_item([&](const Value& iy, const Value& ix) {
    c[(row0 + y + iy * block_y) * n + col0 + x + ix * block_x] = sums[iy * items_x + ix];
  });
}

}  // namespace

Expected<Problem> make_gemm(const ProblemSizes& sizes) {
  return make_bundled(
      {.name = "gemm",
       .sizes = {{"m", 128}, {"n", 128}, {"k", 128}},
       .space = {.parameters = {{"block_x", {8, 16, 32}},
                                {"block_y", {2, 4, 8, 16}},
                                {"items_x", {1, 2, 4}},
                                {"items_y", {1, 2, 4}},
                                {"tile_k", {8, 16, 32}},
                                {"unroll", {1, 8}}},
                 .constraints = {"32 <= block_x * block_y <= 256", "items_x * items_y <= 8",
                                 "n % (block_x * items_x) == 0", "m % (block_y * items_y) == 0",
                                 "k % tile_k == 0"}},
       .untuned = kUntuned,
       .sequence = [] { return sequence_of("gemm", body); },
       .input_lengths =
           [](const ProblemSizes& s) {
             return std::vector{s.at("m") * s.at("k"), s.at("k") * s.at("n")};
           },
       .scalars = {},
       .tolerance = {.absolute = 1e-3, .relative = 1e-4},
       .metrics = {{"GFLOP/s", "2 * m * n * k / time_ms / 1e6"}}},
      sizes);
}

}  // namespace vyre
