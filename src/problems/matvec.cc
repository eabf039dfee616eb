#include "problems/matvec.h"

#include "problems/bundled.h"

namespace vyre {
namespace {

using namespace ir;
using ir::Value;

const Config kUntuned{{"block", 64}, {"lanes", 1}, {"rows_each", 1}, {"vector", 1}, {"unroll", 1}};

struct Product {
  Builder& b;
  Value cols, lanes, lane, rows_each, unroll;
  Array m, x, sums;

  // Terms lane, lane + lanes, ... of each of the rows from `row` on; one load of x for all rows.
  void scalar(const Value& row) const {
    b.for_("c", lane, cols, {.step = lanes, .unroll = unroll}, [&](const Value& c) {
      const Value factor = b.let("factor", x[c]);
      each_row([&](const Value& r) { sums[r] += m[(row + r) * cols + c] * factor; });
    });
  }

  // The same, four columns at a time.
  void vector(const Value& row, const Array& sums4) const {
    const Value quads = b.let("quads", cols / 4);
    b.for_("c", lane, quads, {.step = lanes, .unroll = unroll}, [&](const Value& c) {
      const Value factor = b.let("factor", x.load4(c));
      each_row([&](const Value& r) {
        sums4.store4(r, sums4.load4(r) + m.load4((row + r) * quads + c) * factor);
      });
    });
    each_row([&](const Value& r) {
      const Value v = b.let("v", sums4.load4(r));
      sums[r] = v[0] + v[1] + (v[2] + v[3]);
    });
  }

  template <class Body>
  void each_row(const Body& body) const {
    b.for_("r", 0, rows_each, {.unroll = rows_each}, body);
  }
};

// `lanes` invocations share the columns of rows_each rows; the first of them adds up their parts.
void body(Builder& b) {
  const Value block = tunable(b, kUntuned, "block");
  const Value lanes = tunable(b, kUntuned, "lanes");
  const Value rows_each = tunable(b, kUntuned, "rows_each");
  const Value vector = tunable(b, kUntuned, "vector");
  const Value unroll = tunable(b, kUntuned, "unroll");
  const Value rows = b.shape("rows");
  const Value cols = b.shape("cols");
  const Array m = b.read(f32, "m", rows * cols);
  const Array x = b.read(f32, "x", cols);
  const Array y = b.write(f32, "y", rows);
  const Array parts = b.local(f32, "parts", block * rows_each);
  const Array sums = b.private_array(f32, "sums", rows_each);
  const Array sums4 = b.private_array(f32, "sums4", rows_each * 4);
  b.workgroup(block);
  b.grid(rows * lanes / (block * rows_each));
  const Value id = b.let("id", b.local_id());
  const Value lane = b.let("lane", id % lanes);
  const Value row = b.let("row", (b.group_id() * (block / lanes) + id / lanes) * rows_each);
  const Product product{b, cols, lanes, lane, rows_each, unroll, m, x, sums};
  b.if_(vector == 4, [&] { product.vector(row, sums4); }, [&] { product.scalar(row); });
  product.each_row([&](const Value& r) { parts[r * block + id] = sums[r]; });
  b.barrier();
  b.if_(lane == 0, [&] {
    product.each_row([&](const Value& r) {
      auto sum = b.var("sum", 0.0F);
      b.for_("k", 0, lanes, [&](const Value& k) { sum += parts[r * block + id + k]; });
      y[row + r] = sum;
    });
  });
}

}  // namespace

Expected<Problem> make_matvec(const ProblemSizes& sizes) {
  return make_bundled(
      {.name = "matvec",
       .sizes = {{"rows", 2048}, {"cols", 2048}},
       .space = {.parameters = {{"block", {16, 32, 64, 128, 256}},
                                {"lanes", {1, 4, 16, 64}},
                                {"rows_each", {1, 2, 4, 8}},
                                {"vector", {1, 4}},
                                {"unroll", {1, 4}}},
                 .constraints = {"lanes <= block", "rows * lanes % (block * rows_each) == 0",
                                 "vector == 1 or cols % 4 == 0"}},
       .untuned = kUntuned,
       .sequence = [] { return sequence_of("matvec", body); },
       .input_lengths =
           [](const ProblemSizes& s) {
             return std::vector{s.at("rows") * s.at("cols"), s.at("cols")};
           },
       .scalars = {},
       .tolerance = {.absolute = 1e-3, .relative = 1e-4},
       .metrics = {{"GB/s", "4 * rows * cols / time_ms / 1e6"},
                   {"GFLOP/s", "2 * rows * cols / time_ms / 1e6"}}},
      sizes);
}

}  // namespace vyre
