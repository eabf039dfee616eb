#include "problems/reduction.h"

#include "problems/bundled.h"
#include "problems/join_workgroup.h"

namespace vyre {
namespace {

using namespace ir;
using ir::Value;

const Config kUntuned{{"block", 64}, {"items", 4}, {"width", 1}, {"contiguous", 0}, {"unroll", 1}};
constexpr std::uint32_t kLastBlock = 64;

// One invocation's elements: `items` of them, in chunks of `width` neighbours that go to as many
// sums of their own. These sums do not wait for each other, and a compiler can make vectors of
// them.
struct Part {
  Builder& b;
  Value items, width, unroll, n;
  Array x, sums;

  // `first`, first + stride, ...: the chunks.
  void add_all(const Value& first, const Value& stride) const {
    b.for_("k", 0, items / width, {.unroll = unroll}, [&](const Value& k) {
      const Value at = b.let("at", first + k * stride);
      b.if_(at < n, [&] { b.if_(width <= n - at, [&] { add_chunk(at); }, [&] { add_rest(at); }); });
    });
  }

  void add_chunk(const Value& at) const {
    each_sum([&](const Value& i) { sums[i] += x[at + i]; });
  }

  void add_rest(const Value& at) const {
    b.for_("i", 0, width,
           [&](const Value& i) { b.if_(at + i < n, [&] { sums[i] += x[at + i]; }); });
  }

  template <class Body>
  void each_sum(const Body& body) const {
    b.for_("i", 0, width, {.unroll = width}, body);
  }
};

// One partial sum per workgroup: its block * items elements, each invocation's side by side or a
// whole workgroup apart, then joined through local memory.
void partial_sums(Builder& b) {
  const Value block = tunable(b, kUntuned, "block");
  const Value items = tunable(b, kUntuned, "items");
  const Value width = tunable(b, kUntuned, "width");
  const Value contiguous = tunable(b, kUntuned, "contiguous");
  const Value unroll = tunable(b, kUntuned, "unroll");
  const Value n = b.shape("n");
  const Array x = b.read(f32, "x", n);
  const Array partial = b.write(f32, "partial", (n + block * items - 1) / (block * items));
  const Array sums = b.private_array(f32, "sums", width);
  const Array parts = b.local(f32, "parts", block);
  b.workgroup(block);
  b.grid((n + block * items - 1) / (block * items));
  const Value lane = b.local_id();
  const Value first =
      b.let("first", b.group_id() * block * items + lane * select(contiguous == 1, items, width));
  const Part part{b, items, width, unroll, n, x, sums};
  part.each_sum([&](const Value& i) { sums[i] = 0.0F; });
  part.add_all(first, b.let("stride", select(contiguous == 1, width, width * block)));
  auto sum = b.var("sum", 0.0F);
  part.each_sum([&](const Value& i) { sum += sums[i]; });
  parts[lane] = sum;
  join_workgroup(b, parts, block, [](const Value& p, const Value& q) { return p + q; });
  b.if_(lane == 0, [&] { partial[b.group_id()] = parts[0]; });
}

void total(Builder& b) {
  const Value count = b.shape("count");
  const Array partial = b.read(f32, "partial", count);
  const Array out = b.write(f32, "total", 1);
  const Array sums = b.local(f32, "sums", kLastBlock);
  b.workgroup(kLastBlock);
  b.grid(1);
  const Value lane = b.local_id();
  auto sum = b.var("sum", 0.0F);
  b.for_("k", lane, count, {.step = kLastBlock}, [&](const Value& k) { sum += partial[k]; });
  sums[lane] = sum;
  join_workgroup(b, sums, b.constant(u32, kLastBlock),
                 [](const Value& p, const Value& q) { return p + q; });
  b.if_(lane == 0, [&] { out[0] = sums[0]; });
}

Expected<Sequence> sequence() {
  return build_sequence("reduction", [](SequenceBuilder& s) {
    const Value per_group = s.tunable("block", 64) * s.tunable("items", 4);
    const Value n = s.shape("n");
    const Array x = s.read(f32, "x", n);
    const Array out = s.write(f32, "total", 1);
    const Array partial = s.scratch(f32, "partial", (n + per_group - 1) / per_group);
    s.run(build("partial_sums", partial_sums), {x, partial});
    s.run(build("total", total), {partial, out});
  });
}

}  // namespace

Expected<Problem> make_reduction(const ProblemSizes& sizes) {
  return make_bundled(
      {.name = "reduction",
       .sizes = {{"n", 1U << 22U}},
       .space = {.parameters = {{"block", {8, 16, 32, 64, 128, 256}},
                                {"items", {4, 16, 64, 256, 1024, 4096}},
                                {"width", {1, 4, 16, 32, 64}},
                                {"contiguous", {0, 1}},
                                {"unroll", {1, 4}}},
                 .constraints = {"width <= items", "unroll * width <= items",
                                 "unroll * width <= 128", "width < items or contiguous == 0"}},
       .untuned = kUntuned,
       .sequence = sequence,
       .input_lengths = [](const ProblemSizes& s) { return std::vector{s.at("n")}; },
       .scalars = {},
       .tolerance = {.absolute = 0.05, .relative = 1e-4},
       .metrics = {{"GB/s", "4 * n / time_ms / 1e6"}}},
      sizes);
}

}  // namespace vyre
