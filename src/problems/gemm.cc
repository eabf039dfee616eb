#include "problems/gemm.h"

#include "problems/bundled.h"

namespace vyre {
namespace {

using namespace ir;
using ir::Value;

const Config kUntuned{{"block_x", 8}, {"block_y", 8},   {"items_x", 1}, {"items_y", 1},
                      {"tile_k", 8},  {"use_local", 1}, {"unroll", 1}};

// A workgroup computes tile_m rows and tile_n columns of c = a b, an invocation items_y rows,
// block_y apart, of items_x neighbouring columns. With use_local the workgroup brings tile_k
// columns of a and as many rows of b to local memory at a time. That pays where local memory is
// faster than the cache. On a CPU it is not, and each barrier sends the sums from registers to
// memory.
struct Gemm {
  explicit Gemm(Builder& builder) : b(builder) {
    b.workgroup(block_x, block_y);
    b.grid(n / tile_n, m / tile_m);
  }

  void whole() const {
    each_item([&](const Value& iy, const Value& ix) { sums[iy * items_x + ix] = 0.0F; });
    b.if_(
        use_local == 1, [&] { by_tiles(); },
        [&] { inside([&](auto&&... at) { directly(at...); }); });
    inside([&](const Value& row, const Value& column) {
      each_item([&](const Value& iy, const Value& ix) {
        c[(row + iy) * n + column + ix] = sums[iy * items_x + ix];
      });
    });
  }

  // Hands on the invocation's first row and column. The condition always holds and the limits are
  // never reached, because the grid has whole tiles only. They are for the emitter: with them it
  // knows that accesses are inside their buffers.
  template <class Part>
  void inside(const Part& part) const {
    b.if_(items_y <= m && items_x <= n, [&] {
      const Value row = b.let("row", min(row0 + y * items_y, m - items_y));
      const Value column = b.let("column", min(col0 + x * items_x, n - items_x));
      part(row, column);
    });
  }

  void directly(const Value& row, const Value& column) const {
    b.for_("p", 0, k, {.unroll = unroll}, [&](const Value& p) {
      add_term([&](const Value& iy) { return a[(row + iy) * k + p]; },
               [&](const Value& ix) { return bb[p * n + column + ix]; });
    });
  }

  void by_tiles() const {
    const Value lane = b.let("lane", y * block_x + x);
    b.for_("t", 0, k, {.step = tile_k}, [&](const Value& t) {
      b.for_("e", lane, tile_m * tile_k, {.step = block_x * block_y},
             [&](const Value& e) { local_a[e] = a[(row0 + e / tile_k) * k + t + e % tile_k]; });
      b.for_("e", lane, tile_k * tile_n, {.step = block_x * block_y},
             [&](const Value& e) { local_b[e] = bb[(t + e / tile_n) * n + col0 + e % tile_n]; });
      b.barrier();
      b.for_("p", 0, tile_k, {.unroll = unroll}, [&](const Value& p) {
        add_term([&](const Value& iy) { return local_a[(y * items_y + iy) * tile_k + p]; },
                 [&](const Value& ix) { return local_b[p * tile_n + x * items_x + ix]; });
      });
      b.barrier();
    });
  }

  // One factor of a for each row, one of b for each column.
  template <class OfA, class OfB>
  void add_term(const OfA& of_a, const OfB& of_b) const {
    b.for_("iy", 0, items_y, {.unroll = items_y}, [&](const Value& iy) {
      const Value factor = b.let("factor", of_a(iy));
      b.for_("ix", 0, items_x, {.unroll = items_x}, [&](const Value& ix) {
        const Value at = iy * items_x + ix;
        sums[at] = fma(factor, of_b(ix), sums[at]);
      });
    });
  }

  template <class Item>
  void each_item(const Item& item) const {
    b.for_("iy", 0, items_y, {.unroll = items_y}, [&](const Value& iy) {
      b.for_("ix", 0, items_x, {.unroll = items_x}, [&](const Value& ix) { item(iy, ix); });
    });
  }

  Builder& b;
  Value block_x = tunable(b, kUntuned, "block_x");
  Value block_y = tunable(b, kUntuned, "block_y");
  Value items_x = tunable(b, kUntuned, "items_x");
  Value items_y = tunable(b, kUntuned, "items_y");
  Value tile_k = tunable(b, kUntuned, "tile_k");
  Value use_local = tunable(b, kUntuned, "use_local");
  Value unroll = tunable(b, kUntuned, "unroll");
  Value m = b.shape("m");
  Value n = b.shape("n");
  Value k = b.shape("k");
  Array a = b.read(f32, "a", m* k);
  Array bb = b.read(f32, "b", k* n);
  Array c = b.write(f32, "c", m* n);
  Value tile_m = block_y * items_y;
  Value tile_n = block_x * items_x;
  Array local_a = b.local(f32, "tile_a", select(use_local == 1, tile_m* tile_k, 1));
  Array local_b = b.local(f32, "tile_b", select(use_local == 1, tile_k* tile_n, 1));
  Array sums = b.private_array(f32, "sums", items_x* items_y);
  Value x = b.let("x", b.local_id(0));
  Value y = b.let("y", b.local_id(1));
  Value row0 = b.let("row0", b.group_id(1) * tile_m);
  Value col0 = b.let("col0", b.group_id(0) * tile_n);
};

void body(Builder& b) { Gemm{b}.whole(); }

}  // namespace

Expected<Problem> make_gemm(const ProblemSizes& sizes) {
  return make_bundled(
      {.name = "gemm",
       .sizes = {{"m", 256}, {"n", 256}, {"k", 256}},
       .space = {.parameters = {{"block_x", {2, 4, 8}},
                                {"block_y", {2, 4, 8}},
                                {"items_x", {1, 4, 8, 16}},
                                {"items_y", {1, 4, 8}},
                                {"tile_k", {8, 32}},
                                {"use_local", {0, 1}},
                                {"unroll", {1, 4}}},
                 .constraints = {"16 <= block_x * block_y", "n % (block_x * items_x) == 0",
                                 "m % (block_y * items_y) == 0", "k % tile_k == 0",
                                 "use_local == 1 or tile_k == 8"}},
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
