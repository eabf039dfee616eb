#include "problems/saxpy.h"

#include "problems/bundled.h"

namespace vyre {
namespace {

using namespace ir;
using ir::Value;

const Config kUntuned{{"block", 64}, {"items", 1}, {"width", 1}, {"contiguous", 0}, {"unroll", 1}};

// Each workgroup has block * items elements: those of an invocation side by side, or a whole
// workgroup apart, in chunks of `width` neighbours, of which a compiler can make vectors.
void body(Builder& b) {
  const Value block = tunable(b, kUntuned, "block");
  const Value items = tunable(b, kUntuned, "items");
  const Value width = tunable(b, kUntuned, "width");
  const Value contiguous = tunable(b, kUntuned, "contiguous");
  const Value unroll = tunable(b, kUntuned, "unroll");
  const Value n = b.shape("n");
  const Value a = b.scalar(f32, "a");
  const Array x = b.read(f32, "x", n);
  const Array y = b.read_write(f32, "y", n);
  b.workgroup(block);
  b.grid((n + block * items - 1) / (block * items));
  const auto one = [&](const Value& i) { y[i] = a * x[i] + y[i]; };
  const Value lane = b.local_id();
  const Value first =
      b.let("first", b.group_id() * block * items + lane * select(contiguous == 1, items, width));
  const Value step = b.let("stride", select(contiguous == 1, width, width * block));
  b.for_("k", 0, items / width, {.unroll = unroll}, [&](const Value& k) {
    const Value at = b.let("at", first + k * step);
    const auto whole = [&] {
      b.for_("i", 0, width, {.unroll = width}, [&](const Value& i) { one(at + i); });
    };
    const auto rest = [&] { b.for_("i", at, n, one); };
    b.if_(at < n, [&] { b.if_(width <= n - at, whole, rest); });
  });
}

}  // namespace

Expected<Problem> make_saxpy(const ProblemSizes& sizes) {
  return make_bundled(
      {.name = "saxpy",
       .sizes = {{"n", 1U << 22U}},
       .space = {.parameters = {{"block", {32, 64, 128, 256, 512, 1024}},
                                {"items", {1, 4, 16, 64, 256, 1024}},
                                {"width", {1, 4, 16, 64}},
                                {"contiguous", {0, 1}},
                                {"unroll", {1, 4}}},
                 .constraints = {"width < items or contiguous == 0", "width <= items",
                                 "unroll * width <= items"}},
       .untuned = kUntuned,
       .sequence = [] { return sequence_of("saxpy", body); },
       .input_lengths = [](const ProblemSizes& s) { return std::vector(2, s.at("n")); },
       .scalars = {{"a", 2.5F}},
       .tolerance = {},
       .metrics = {{"GB/s", "12 * n / time_ms / 1e6"}}},
      sizes);
}

}  // namespace vyre
