#include "problems/softmax.h"

#include "problems/bundled.h"
#include "problems/join_workgroup.h"

namespace vyre {
namespace {

using namespace ir;
using ir::Value;

const Config kUntuned{{"block", 64}, {"rows_each", 1}, {"keep_exp", 0}, {"unroll", 1}};

struct Row {
  Builder& b;
  Value block, cols, first;  // where the row begins
  Array parts;
  ForOptions options;

  // Joins the values that `of` gives for the columns of the row.
  template <class Of, class Join>
  Value joined(const char* name, float start, const Of& of, const Join& join) const {
    const Value lane = b.local_id();
    auto part = b.var(name, start);
    b.for_("c", lane, cols, options,
           [&](const Value& c) { part = join(part, of(b.let("i", first + c))); });
    parts[lane] = part;
    join_workgroup(b, parts, block, join);
    const Value out = b.let("all", parts[0]);
    b.barrier();
    return out;
  }
};

// A workgroup takes rows_each rows, one after the other. The exponentials are computed twice, or
// kept in the output between the two passes.
void body(Builder& b) {
  const Value block = tunable(b, kUntuned, "block");
  const Value rows_each = tunable(b, kUntuned, "rows_each");
  const Value keep = b.let("keep", tunable(b, kUntuned, "keep_exp") == 1);
  const Value unroll = tunable(b, kUntuned, "unroll");
  const Value rows = b.shape("rows");
  const Value cols = b.shape("cols");
  const Array x = b.read(f32, "x", rows * cols);
  const Array out = b.write(f32, "out", rows * cols);
  const Array parts = b.local(f32, "parts", block);
  b.workgroup(block);
  b.grid(rows / rows_each);
  b.for_("r", 0, rows_each, [&](const Value& r) {
    const Value first = b.let("start", (b.group_id() * rows_each + r) * cols);
    const Row row{b, block, cols, first, parts, {.step = block, .unroll = unroll}};
    const Value largest = row.joined(
        "largest", -3.0e38F, [&](const Value& i) { return Value(x[i]); },
        [](const Value& p, const Value& q) { return max(p, q); });
    const Value sum = row.joined(
        "sum", 0.0F,
        [&](const Value& i) {
          const Value e = b.let("e", exp(x[i] - largest));
          b.if_(keep, [&] { out[i] = e; });
          return e;
        },
        [](const Value& p, const Value& q) { return p + q; });
    b.for_("c", b.local_id(), cols, row.options, [&](const Value& c) {
      const Value i = b.let("i", first + c);
      b.if_(keep, [&] { out[i] /= sum; }, [&] { out[i] = exp(x[i] - largest) / sum; });
    });
  });
}

}  // namespace

Expected<Problem> make_softmax(const ProblemSizes& sizes) {
  return make_bundled(
      {.name = "softmax",
       .sizes = {{"rows", 512}, {"cols", 1024}},
       .space = {.parameters = {{"block", {1, 8, 16, 32, 64, 128, 256, 512}},
                                {"rows_each", {1, 2, 4, 8}},
                                {"keep_exp", {0, 1}},
                                {"unroll", {1, 2, 4, 8}}},
                 .constraints = {"rows % rows_each == 0"}},
       .untuned = kUntuned,
       .sequence = [] { return sequence_of("softmax", body); },
       .input_lengths =
           [](const ProblemSizes& s) { return std::vector{s.at("rows") * s.at("cols")}; },
       .scalars = {},
       .tolerance = {},
       .metrics = {{"GB/s", "8 * rows * cols / time_ms / 1e6"}}},
      sizes);
}

}  // namespace vyre
