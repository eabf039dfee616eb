#include "problems/matvec.h"

#include "problems/bundled.h"

namespace vyre {
namespace {

using namespace ir;
using ir::Value;

const Config kUntuned{{"block", 64}, {"lanes", 1}, {"rows_each", 1}, {"width", 1}, {"unroll", 1}};

// `lanes` invocations share the columns of rows_each rows, `width` neighbouring columns at a time.
// Each of these columns has sums of its own, which do not wait for each other: a compiler can make
// vectors of them.
struct Matvec {
  void whole() const {
    b.workgroup(block);
    b.grid(rows * lanes / (block * rows_each));
    each_sum([&](const Value& r, const Value& i) { sums[r * width + i] = 0.0F; });
    // The conditions always hold, and the limits are never reached, because the space has whole
    // chunks only. With them the emitter knows that all accesses are inside their buffers.
    b.if_(rows_each <= rows && width <= cols, [&] {
      const Value first = (b.group_id() * (block / lanes) + id / lanes) * rows_each;
      add_all(b.let("row", min(first, rows - rows_each)));
    });
    join();
  }

  // Chunks lane, lane + lanes, ... of each row; one load of x for all rows.
  void add_all(const Value& row) const {
    b.for_("c", id % lanes * width, cols, {.step = lanes * width, .unroll = unroll},
           [&](const Value& c) {
             const Value at = b.let("at", min(c, cols - width));
             each_sum([&](const Value& r, const Value& i) {
               const Value sum = sums[r * width + i];
               sums[r * width + i] = fma(m[(row + r) * cols + at + i], x[at + i], sum);
             });
           });
  }

  // The first of the lanes adds up their parts.
  void join() const {
    each_row([&](const Value& r) {
      auto sum = b.var("sum", 0.0F);
      b.for_("i", 0, width, {.unroll = width}, [&](const Value& i) { sum += sums[r * width + i]; });
      parts[r * block + id] = sum;
    });
    b.barrier();
    b.if_(id % lanes == 0, [&] {
      const Value row = b.let("first", (b.group_id() * (block / lanes) + id / lanes) * rows_each);
      each_row([&](const Value& r) {
        auto sum = b.var("whole", 0.0F);
        b.for_("k", 0, lanes, [&](const Value& k) { sum += parts[r * block + id + k]; });
        y[row + r] = sum;
      });
    });
  }

  template <class Body>
  void each_row(const Body& body) const {
    b.for_("r", 0, rows_each, {.unroll = rows_each}, body);
  }

  template <class Body>
  void each_sum(const Body& body) const {
    each_row([&](const Value& r) {
      b.for_("i", 0, width, {.unroll = width}, [&](const Value& i) { body(r, i); });
    });
  }

  Builder& b;
  Value block = tunable(b, kUntuned, "block");
  Value lanes = tunable(b, kUntuned, "lanes");
  Value rows_each = tunable(b, kUntuned, "rows_each");
  Value width = tunable(b, kUntuned, "width");
  Value unroll = tunable(b, kUntuned, "unroll");
  Value rows = b.shape("rows");
  Value cols = b.shape("cols");
  Array m = b.read(f32, "m", rows* cols);
  Array x = b.read(f32, "x", cols);
  Array y = b.write(f32, "y", rows);
  Array parts = b.local(f32, "parts", block* rows_each);
  Array sums = b.private_array(f32, "sums", rows_each* width);
  Value id = b.let("id", b.local_id());
};

void body(Builder& b) { Matvec{b}.whole(); }

}  // namespace

Expected<Problem> make_matvec(const ProblemSizes& sizes) {
  return make_bundled(
      {.name = "matvec",
       .sizes = {{"rows", 2048}, {"cols", 2048}},
       .space = {.parameters = {{"block", {8, 16, 32, 64, 128}},
                                {"lanes", {1, 4, 16}},
                                {"rows_each", {1, 2, 4, 8}},
                                {"width", {1, 4, 8, 16, 32}},
                                {"unroll", {1, 4}}},
                 .constraints = {"lanes <= block", "rows * lanes % (block * rows_each) == 0",
                                 "cols % (lanes * width) == 0", "rows_each * width <= 128",
                                 "unroll == 1 or rows_each * width <= 64"}},
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
