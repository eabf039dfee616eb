#include "primitives/fisher.h"

#include "primitives/arguments.h"
#include "primitives/product.h"
#include "primitives/reduce.h"

namespace vyre::primitives {
namespace {

using namespace ir;
using ir::Value;

// Weights divided by their sum. If the sum is 0, all are 0.
Expected<Program> normalise() {
  return build("fisher_weights", [](Builder& b) {
    const Value k = b.shape("k");
    auto weights = b.read(f32, "weights", k);
    auto shares = b.write(f32, "shares", k);
    auto sums = b.local(f32, "sums", kWorkgroup);
    b.workgroup(kWorkgroup);
    b.grid(1);
    const Value lane = b.local_id();
    auto sum = b.var(f32, "sum", 0.0F);
    b.for_("s", lane, k, {.step = kWorkgroup}, [&](const Value& s) { sum += weights[s]; });
    sums[lane] = sum;
    reduce_workgroup(b, sums, [](const Value& x, const Value& y) { return x + y; });
    auto total = b.let("total", sums[0]);
    b.for_("s", lane, k, {.step = kWorkgroup},
           [&](const Value& s) { shares[s] = select(total == 0.0F, 0.0F, weights[s] / total); });
  });
}

// The weighted mean. An invocation has a run of columns, and adds the samples to it one by one.
Expected<Program> mean_of() {
  return build("fisher_mean", [](Builder& b) {
    const Value n = b.shape("n");
    const Value k = b.shape("k");
    auto samples = b.read(f32, "samples", k * n);
    auto shares = b.read(f32, "shares", k);
    auto mean = b.write(f32, "mean", n);
    const Value run = b.tunable("stretch", 64);
    b.workgroup(1);
    b.grid((run + (n - 1)) / run);
    auto first = b.let("first", b.global_id() * run);
    auto below = b.let("below", min(first + run, n));
    b.for_("s", 0, k, [&](const Value& s) {
      auto share = b.let("share", shares[s]);
      b.for_("j", first, below, [&](const Value& j) { mean[j] += share * samples[s * n + j]; });
    });
  });
}

// sqrt(share) * (sample - mean): the product of this with itself is the covariance.
Expected<Program> centre() {
  return build("fisher_centre", [](Builder& b) {
    const Value n = b.shape("n");
    const Value k = b.shape("k");
    const Value side = b.shape("side");
    const Value depth = b.shape("depth");
    auto samples = b.read(f32, "samples", k * n);
    auto shares = b.read(f32, "shares", k);
    auto mean = b.read(f32, "mean", n);
    auto centred = b.read_write(f32, "centred", depth * side);
    b.workgroup(kRowGroup);
    b.grid((k + (kRowGroup - 1)) / kRowGroup);
    auto s = b.let("s", b.global_id());
    b.if_(s < k && s < depth, [&] {
      auto root = b.let("root", sqrt(shares[s]));
      b.for_("j", 0, min(n, side), [&](const Value& j) {
        centred[s * side + j] = root * (samples[s * n + j] - mean[j]);
      });
    });
  });
}

Expected<Program> covariance(std::uint32_t quads) {
  return build("fisher_product", [quads](Builder& b) {
    const Value n = b.shape("n");
    const Value side = b.shape("side");
    const Value depth = b.shape("depth");
    auto lambda = b.scalar(f32, "lambda");
    auto left = b.read(f32, "left", depth * side);
    auto right = b.read(f32, "right", depth * side);
    auto out = b.write(f32, "out", n * n);
    const TileProduct product{quads, side, depth, true};
    for_each_product(b, product, left, right, [&](const Value& i, const Value& j, const Value& x) {
      b.if_(i < n && j < n, [&] { out[i * n + j] = x + select(i == j, lambda, 0.0F); });
    });
  });
}

}  // namespace

void build_fisher(SequenceBuilder& s, std::uint32_t n, std::uint32_t k) {
  const Value side = padded_side(s, n);
  const std::uint32_t depth = padded_depth(k);
  auto lambda = s.scalar(f32, "lambda");
  auto samples = s.read(f32, "samples", k * n);
  auto weights = s.read(f32, "weights", k);
  auto out = s.write(f32, "out", n * n);
  auto shares = s.scratch(f32, "shares", k);
  auto mean = s.scratch(f32, "mean", n);
  auto centred = s.scratch(f32, "centred", side * depth);
  s.run(normalise(), {weights, shares}, {k});
  s.run(mean_of(), {samples, shares, mean}, {n, k});
  s.run(centre(), {samples, shares, mean, centred}, {n, k, side, depth});
  s.run(covariance(quads_for(n)), {centred, centred, out}, {n, side, depth, lambda});
}

}  // namespace vyre::primitives
