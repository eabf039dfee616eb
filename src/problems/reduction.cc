#include "problems/reduction.h"

#include "problems/bundled.h"
#include "problems/join_workgroup.h"

namespace vyre {
namespace {

using namespace ir;
using ir::Value;

const Config kUntuned{{"block", 64}, {"items", 4}, {"contiguous", 0}, {"unroll", 1}};
constexpr std::uint32_t kLastBlock = 64;

// One partial sum per workgroup: its block * items elements, each invocation's side by side or a
// whole workgroup apart, then joined through local memory.
void partial_sums(Builder& b) {
  const Value block = tunable(b, kUntuned, "block");
  const Value items = tunable(b, kUntuned, "items");
  const Value contiguous = tunable(b, kUntuned, "contiguous");
  const Value unroll = tunable(b, kUntuned, "unroll");
  const Value n = b.shape("n");
  const Array x = b.read(f32, "x", n);
  const Array partial = b.write(f32, "partial", (n + block * items - 1) / (block * items));
  const Array sums = b.local(f32, "sums", block);
  b.workgroup(block);
  b.grid((n + block * items - 1) / (block * items));
  const Value lane = b.local_id();
  const Value first =
      b.let("first", b.group_id() * block * items + select(contiguous == 1, lane * items, lane));
  const Value step = b.let("stride", select(contiguous == 1, 1, block));
  auto sum = b.var("sum", 0.0F);
  b.for_("k", 0, items, {.unroll = unroll}, [&](const Value& k) {
    const Value i = b.let("i", first + k * step);
    b.if_(i < n, [&] { sum += x[i]; });
  });
  sums[lane] = sum;
  join_workgroup(b, sums, block, [](const Value& p, const Value& q) { return p + q; });
  b.if_(lane == 0, [&] { partial[b.group_id()] = sums[0]; });
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
       .sizes = {{"n", 1U << 20U}},
       .space = {.parameters = {{"block", {32, 64, 128, 256, 512}},
                                {"items", {1, 2, 4, 8, 16, 32, 64, 128, 256}},
                                {"contiguous", {0, 1}},
                                {"unroll", {1, 4, 16}}},
                 .constraints = {"items > 1 or contiguous == 0", "unroll <= items"}},
       .untuned = kUntuned,
       .sequence = sequence,
       .input_lengths = [](const ProblemSizes& s) { return std::vector{s.at("n")}; },
       .scalars = {},
       .tolerance = {.absolute = 0.05, .relative = 1e-4},
       .metrics = {{"GB/s", "4 * n / time_ms / 1e6"}}},
      sizes);
}

}  // namespace vyre
