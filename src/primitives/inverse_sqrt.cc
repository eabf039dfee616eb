#include "primitives/inverse_sqrt.h"

#include "primitives/arguments.h"
#include "primitives/product.h"
#include "primitives/reduce.h"

namespace vyre::primitives {
namespace {

using namespace ir;
using ir::Value;

// A turn is two steps. The least eigenvalue of Y grows by 9/4 per step at first, so this is enough
// for any condition number that an f32 can hold.
constexpr std::uint32_t kMostTurns = 30;
// Limits for the norm of the gap, which is at most n times its largest entry. Each step squares it.
// Below kNearGap, two steps shrink it more than tenfold. Below kSmallGap, one more step leaves less
// than 1e-5.
constexpr float kNearGap = 0.5F;
constexpr float kSmallGap = 3e-3F;
// A gap that does not converge grows without end. One that converges never exceeds this.
constexpr float kHugeGap = 1e6F;

// Elements of the buffer that `measure` fills. The Frobenius norm of the matrix is largest *
// spread.
constexpr std::uint32_t kLargest = 0;
constexpr std::uint32_t kSpread = 1;
constexpr std::uint32_t kIsZero = 2;
constexpr std::uint32_t kFacts = 3;

Value infinity(Builder& b) { return bitcast(f32, b.constant(u32, 0x7f800000U)); }

// Finds the norm with one workgroup, which is n * n work beside products of n * n * n. Entries are
// divided by the largest before they are squared, so that no matrix leaves the range of f32.
Expected<Program> measure() {
  return build("inverse_sqrt_norm", [](Builder& b) {
    const Value n = b.shape("n");
    auto m = b.read(f32, "m", n * n);
    auto facts = b.write(f32, "facts", kFacts);
    auto parts = b.local(f32, "parts", kWorkgroup);
    b.workgroup(kWorkgroup);
    b.grid(1);
    const Value lane = b.local_id();
    const auto over_cells = [&](const std::function<void(const Value&)>& visit) {
      b.for_("i", lane, n, {.step = kWorkgroup}, [&](const Value& i) {
        b.for_("j", 0, n, [&](const Value& j) { visit(m[i * n + j]); });
      });
    };
    auto most = b.var(f32, "most", 0.0F);
    over_cells([&](const Value& x) { most = max(most, abs(x)); });
    parts[lane] = most;
    reduce_workgroup(b, parts, [](const Value& x, const Value& y) { return max(x, y); });
    auto largest = b.let("largest", select(parts[0] == 0.0F, 1.0F, parts[0]));
    b.barrier();
    auto sum = b.var(f32, "sum", 0.0F);
    over_cells([&](const Value& x) {
      auto share = b.let("share", x / largest);
      sum += share * share;
    });
    parts[lane] = sum;
    reduce_workgroup(b, parts, [](const Value& x, const Value& y) { return x + y; });
    // max ignores a NaN, but the sum becomes NaN. Such a matrix is not zero.
    auto is_zero = b.let("is_zero", parts[0] == 0.0F);
    b.if_(lane == 0, [&] {
      facts[kLargest] = largest;
      facts[kSpread] = select(is_zero, 1.0F, sqrt(parts[0]));
      facts[kIsZero] = select(is_zero, 1.0F, 0.0F);
    });
  });
}

// Scaled = Y = M / norm, Z = I. The padding is zeros, and every later product keeps it so.
Expected<Program> begin() {
  return build("inverse_sqrt_begin", [](Builder& b) {
    const Value n = b.shape("n");
    const Value side = b.shape("side");
    auto m = b.read(f32, "m", n * n);
    auto facts = b.read(f32, "facts", kFacts);
    auto scaled = b.read_write(f32, "scaled", side * side);
    auto y = b.read_write(f32, "y", side * side);
    auto identity = b.read_write(f32, "z", side * side);
    b.workgroup(kRowGroup);
    b.grid((n + (kRowGroup - 1)) / kRowGroup);
    auto i = b.let("i", b.global_id());
    auto largest = b.let("largest", facts[kLargest]);
    auto spread = b.let("spread", facts[kSpread]);
    b.if_(i < n && i < side, [&] {
      b.for_("j", 0, min(n, side), [&](const Value& j) {
        auto x = b.let("x", m[i * n + j] / largest / spread);
        scaled[i * side + j] = x;
        y[i * side + j] = x;
      });
      identity[i * side + i] = 1.0F;
    });
  });
}

// T = 3I - ZY, and the largest entry of |ZY - I|. That entry is kept as the bits of an f32, because
// bits of positive numbers are ordered as the numbers are. A NaN counts as infinite.
Expected<Program> gap(std::uint32_t quads) {
  return build("inverse_sqrt_gap", [quads](Builder& b) {
    const Value n = b.shape("n");
    const Value side = b.shape("side");
    const Value depth = b.shape("depth");  // the side again: proofs of bounds need two names
    auto left = b.read(f32, "left", side * depth);
    auto right = b.read(f32, "right", depth * side);
    auto out = b.read_write(f32, "t", side * side);
    auto worst = b.write(u32, "worst", 1);
    auto most = b.var(f32, "most", 0.0F);
    const auto store = [&](const Value& i, const Value& j, const Value& x) {
      auto off = b.let("off", x - select(i == j, 1.0F, 0.0F));
      out[i * side + j] = select(i == j, 2.0F, 0.0F) - off;
      auto size = b.let("size", select(abs(off) < 3e38F, abs(off), infinity(b)));
      b.if_(i < n && j < n, [&] { most = max(most, size); });
    };
    for_each_product(b, {quads, side, depth}, left, right, store,
                     [&] { b.atomic_max(worst, 0, bitcast(u32, most)); });
  });
}

Expected<Program> scaled_product(std::uint32_t quads) {
  return build("inverse_sqrt_product", [quads](Builder& b) {
    const Value side = b.shape("side");
    const Value depth = b.shape("depth");  // the side again: proofs of bounds need two names
    auto factor = b.scalar(f32, "factor");
    auto left = b.read(f32, "left", side * depth);
    auto right = b.read(f32, "right", depth * side);
    auto out = b.read_write(f32, "out", side * side);
    for_each_product(
        b, {quads, side, depth}, left, right,
        [&](const Value& i, const Value& j, const Value& x) { out[i * side + j] = factor * x; });
  });
}

// Ends the loop if the gap is small, if it was near and no longer shrinks (f32 gets no further), if
// it is beyond hope, or if the matrix is zero.
Expected<Program> decide() {
  return build("inverse_sqrt_decide", [](Builder& b) {
    const Value size = b.shape("n");
    auto worst = b.read(u32, "worst", 1);
    auto facts = b.read(f32, "facts", kFacts);
    auto before = b.read_write(f32, "before", 1);  // 0 at first
    auto done = b.write(u32, "done", 1);
    b.workgroup(1);
    b.grid(1);
    auto n = b.let("count", cast(f32, size));
    auto now = b.let("now", bitcast(f32, worst[0]));
    auto last = b.let("last", before[0]);
    auto was_near = b.let("was_near", last > 0.0F && last * n < kNearGap);
    auto stalled = b.let("stalled", was_near && now > last * 0.5F);
    auto ended = b.let("ended", now * n <= kSmallGap || stalled || now > kHugeGap);
    done[0] = select(ended || facts[kIsZero] != 0.0F, 1U, 0U);
    before[0] = now;
  });
}

// Z / sqrt(norm), or the identity for a zero matrix.
Expected<Program> finish() {
  return build("inverse_sqrt_finish", [](Builder& b) {
    const Value n = b.shape("n");
    const Value side = b.shape("side");
    auto root = b.read(f32, "z", side * side);
    auto facts = b.read(f32, "facts", kFacts);
    auto worst = b.read(u32, "worst", 1);
    auto out = b.write(f32, "out", n * n);
    auto residual = b.write(f32, "residual", 1);
    b.workgroup(kRowGroup);
    b.grid((n + (kRowGroup - 1)) / kRowGroup);
    auto i = b.let("i", b.global_id());
    auto is_zero = b.let("is_zero", facts[kIsZero] != 0.0F);
    auto scale = b.let("scale", sqrt(facts[kLargest]) * sqrt(facts[kSpread]));
    b.if_(i < n && i < side, [&] {
      b.for_("j", 0, min(n, side), [&](const Value& j) {
        out[i * n + j] = select(is_zero, select(i == j, 1.0F, 0.0F), root[i * side + j] / scale);
      });
    });
    b.if_(i == 0, [&] { residual[0] = select(is_zero, 0.0F, bitcast(f32, worst[0])); });
  });
}

}  // namespace

void build_inverse_sqrt(SequenceBuilder& s, std::uint32_t n) {
  const std::uint32_t quads = quads_for(n);
  const Value side = padded_side(s, n);
  auto m = s.read(f32, "m", n * n);
  auto out = s.write(f32, "out", n * n);
  auto residual = s.write(f32, "residual", 1);
  auto facts = s.scratch(f32, "facts", kFacts);
  auto scaled = s.scratch(f32, "scaled", side * side);
  auto y = s.scratch(f32, "y", side * side);
  auto root = s.scratch(f32, "z", side * side);
  auto t = s.scratch(f32, "t", side * side);
  auto next_y = s.scratch(f32, "next_y", side * side);
  auto next_root = s.scratch(f32, "next_z", side * side);
  auto worst = s.scratch(u32, "worst", 1);
  auto before = s.scratch(f32, "before", 1);
  auto done = s.scratch(u32, "done", 1);
  const auto multiply = [&](const Array& left, const Array& right, const Array& to, float by) {
    s.run(scaled_product(quads), {left, right, to}, {side, side, by});
  };
  const auto step = [&](const Array& y0, const Array& z0, const Array& y1, const Array& z1) {
    s.run(gap(quads), {z0, y0, t, worst}, {n, side, side});
    multiply(y0, t, y1, 0.5F);
    multiply(t, z0, z1, 0.5F);
  };
  s.run(measure(), {m, facts}, {n});
  s.run(begin(), {m, facts, scaled, y, root}, {n, side});
  // Two steps per turn: the second writes where the first read, so that no matrix is copied.
  s.repeat_until(done, kMostTurns, [&] {
    step(y, root, next_y, next_root);
    step(next_y, next_root, y, root);
    s.run(decide(), {worst, facts, before, done}, {n});
  });
  multiply(root, scaled, next_y, 1.0F);
  s.run(gap(quads), {next_y, root, t, worst}, {n, side, side});
  s.run(finish(), {root, facts, worst, out, residual}, {n, side});
}

}  // namespace vyre::primitives
