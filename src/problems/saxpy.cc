#include "problems/saxpy.h"

#include "problems/bundled.h"

namespace vyre {
namespace {

using namespace ir;
using ir::Value;

const Config kUntuned{{"block", 64}, {"items", 1}, {"width", 1}, {"contiguous", 0}, {"unroll", 1}};

// Each workgroup has block * items chunks of `width` neighbouring elements: those of an invocation
// side by side, or a whole workgroup apart, so that neighbours load neighbours.
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
  b.grid((n + block * items * width - 1) / (block * items * width));
  const auto one = [&](const Value& i) { y[i] = a * x[i] + y[i]; };
  const auto four = [&](const Value& chunk) {
    y.store4(chunk, b.vec(a, a, a, a) * x.load4(chunk) + y.load4(chunk));
  };
  const auto rest = [&](const Value& from) { b.for_("i", from, n, one); };  // fewer than four
  const Value lane = b.local_id();
  const Value first =
      b.let("first", b.group_id() * block * items + select(contiguous == 1, lane * items, lane));
  const Value step = b.let("stride", select(contiguous == 1, 1, block));
  b.for_("k", 0, items, {.unroll = unroll}, [&](const Value& k) {
    const Value chunk = b.let("chunk", first + k * step);
    b.if_(
        width == 4,
        [&] {
          b.if_(
              chunk < n / 4, [&] { four(chunk); },
              [&] { b.if_(chunk == n / 4, [&] { rest(chunk * 4); }); });
        },
        [&] { b.if_(chunk < n, [&] { one(chunk); }); });
  });
}

}  // namespace

Expected<Problem> make_saxpy(const ProblemSizes& sizes) {
  return make_bundled(
      {.name = "saxpy",
       .sizes = {{"n", 1U << 22U}},
       .space = {.parameters = {{"block", {32, 64, 128, 256, 512, 1024}},
                                {"items", {1, 2, 4, 8, 16, 32}},
                                {"width", {1, 4}},
                                {"contiguous", {0, 1}},
                                {"unroll", {1, 4}}},
                 .constraints = {"items > 1 or contiguous == 0", "unroll <= items"}},
       .untuned = kUntuned,
       .sequence = [] { return sequence_of("saxpy", body); },
       .input_lengths = [](const ProblemSizes& s) { return std::vector(2, s.at("n")); },
       .scalars = {{"a", 2.5F}},
       .tolerance = {},
       .metrics = {{"GB/s", "12 * n / time_ms / 1e6"}}},
      sizes);
}

}  // namespace vyre
