#include "base/error.h"
#include "primitives/arguments.h"
#include "primitives/product.h"
#include "primitives/reduce.h"
#include "vyre/builder.h"
#include "vyre/primitives.h"

namespace vyre::primitives {
namespace {

using namespace ir;
using ir::Value;

constexpr std::uint32_t kRowGroup = 32;

struct Sizes {
  std::uint32_t n;
  std::uint32_t k;
  Tiling tiling;
  std::uint32_t depth;  // k, padded
};

// Weights divided by their sum; all of them 0 if that is not above 0.
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

// An invocation has a run of columns and goes down the samples, adding whole runs.
Expected<Program> mean_of(const Sizes& z) {
  return build("fisher_mean", [&z](Builder& b) {
    auto samples = b.read(f32, "samples", z.k * z.n);
    auto shares = b.read(f32, "shares", z.k);
    auto mean = b.write(f32, "mean", z.n);
    const Value columns = b.tunable("columns", z.tiling.columns);
    const Value runs = (columns + (z.n - 1)) / columns;
    b.workgroup(1);
    b.grid(runs);
    auto first = b.let("first", b.global_id() * columns);
    auto below = b.let("below", min(first + columns, z.n));
    b.for_("s", 0, z.k, [&](const Value& s) {
      auto share = b.let("share", shares[s]);
      b.for_("j", first, below, [&](const Value& j) { mean[j] += share * samples[s * z.n + j]; });
    });
  });
}

// sqrt(share) * (sample - mean): the product of this with itself is the covariance.
Expected<Program> centre(const Sizes& z) {
  return build("fisher_centre", [&z](Builder& b) {
    auto samples = b.read(f32, "samples", z.k * z.n);
    auto shares = b.read(f32, "shares", z.k);
    auto mean = b.read(f32, "mean", z.n);
    auto centred = b.read_write(f32, "centred", z.depth * z.tiling.side);
    b.workgroup(kRowGroup);
    b.grid((z.k - 1) / kRowGroup + 1);
    auto s = b.let("s", b.global_id());
    b.if_(s < z.k, [&] {
      auto root = b.let("root", sqrt(shares[s]));
      b.for_("j", 0, z.n, [&](const Value& j) {
        centred[s * z.tiling.side + j] = root * (samples[s * z.n + j] - mean[j]);
      });
    });
  });
}

Expected<Program> covariance(const Sizes& z) {
  return build("fisher_product", [&z](Builder& b) {
    auto lambda = b.scalar(f32, "lambda");
    auto left = b.read(f32, "left", z.depth * z.tiling.side);
    auto right = b.read(f32, "right", z.depth * z.tiling.side);
    auto out = b.write(f32, "out", z.n * z.n);
    const TileProduct product{z.tiling, z.depth, true};
    for_each_product(b, product, left, right, [&](const Value& i, const Value& j, const Value& x) {
      b.if_(i < z.n && j < z.n, [&] { out[i * z.n + j] = x + select(i == j, lambda, 0.0F); });
    });
  });
}

}  // namespace

Expected<Sequence> fisher_block(std::uint32_t n, std::uint32_t k) {
  constexpr std::string_view name = "fisher_block";
  VYRE_TRY_VOID(check_elements(name, "n", n));
  VYRE_TRY_VOID(check_elements(name, "k", k));
  // The padded sizes that are computed with; they are what must fit.
  VYRE_TRY_VOID(
      check_elements(name, "n * n, padded", (std::uint64_t{n} + 15) * (std::uint64_t{n} + 15)));
  VYRE_TRY_VOID(
      check_elements(name, "k * n, padded", (std::uint64_t{k} + 3) * (std::uint64_t{n} + 15)));
  const Sizes z{n, k, tiling_for(n), padded_depth(k)};
  return build_sequence(name, [&z](SequenceBuilder& s) {
    auto lambda = s.scalar(f32, "lambda");
    auto samples = s.read(f32, "samples", z.k * z.n);
    auto weights = s.read(f32, "weights", z.k);
    auto out = s.write(f32, "out", z.n * z.n);
    auto shares = s.scratch(f32, "shares", z.k);
    auto mean = s.scratch(f32, "mean", z.n);
    auto centred = s.scratch(f32, "centred", z.depth * z.tiling.side);
    s.run(normalise(), {weights, shares}, {z.k});
    s.run(mean_of(z), {samples, shares, mean});
    s.run(centre(z), {samples, shares, mean, centred});
    s.run(covariance(z), {centred, centred, out}, {lambda});
  });
}

}  // namespace vyre::primitives
