#include "primitives/product.h"

#include <array>

namespace vyre::primitives {
namespace {

using namespace ir;
using ir::Value;

constexpr std::uint32_t kRows = 4;
constexpr std::uint32_t kTerms = 4;
// PoCL at n = 512: 32 columns take 4.8 ms, 64 take 4.1, 128 take 3.7, 256 take 3.4. But with 256
// columns there are too few tiles for many cores.
constexpr std::uint32_t kMostColumns = 128;
constexpr std::uint32_t kQuad = 4;
constexpr std::uint32_t kGroup = 16;

std::uint32_t rounded_up(std::uint32_t n, std::uint32_t step) {
  return (n - 1) / step * step + step;
}

// One turn: the products of kTerms columns of the left with as many rows of the right.
struct Turn {
  const TileProduct& product;
  const Array& left;
  const Array& right;
  const Array& sums;
  Value first_row, first_column, columns;

  Value left_at(const Value& row, const Value& k) const {
    return product.left_transposed ? left[k * product.side + row] : left[row * product.depth + k];
  }

  void add(Builder& b, const Value& turn) const {
    std::array<std::array<Value, kTerms>, kRows> factors;
    for (std::uint32_t r = 0; r < kRows; ++r) {
      for (std::uint32_t d = 0; d < kTerms; ++d) {
        factors[r][d] = b.let("a", left_at(first_row + r, turn * kTerms + d));
      }
    }
    b.for_("c", 0, columns, [&](const Value& c) {
      std::array<Value, kTerms> x;
      for (std::uint32_t d = 0; d < kTerms; ++d) {
        x[d] = b.let("x", right[(turn * kTerms + d) * product.side + (first_column + c)]);
      }
      for (std::uint32_t r = 0; r < kRows; ++r) {
        Value sum = sums[columns * r + c];
        for (std::uint32_t d = 0; d < kTerms; ++d) sum = fma(factors[r][d], x[d], sum);
        sums[columns * r + c] = sum;
      }
    });
  }
};

}  // namespace

std::uint32_t quads_for(std::uint32_t n) {
  if (n <= 16) return rounded_up(n, kQuad) / kQuad;
  std::uint32_t columns = kMostColumns;
  while (rounded_up(n, 16) % columns != 0) columns -= 16;
  return columns / kQuad;
}

Value padded_side(SequenceBuilder& s, std::uint32_t n) {
  const Value columns = s.tunable("quads", quads_for(n)) * kQuad;
  return (columns + (n - 1)) / columns * columns;
}

std::uint32_t padded_depth(std::uint32_t k) { return rounded_up(k, kTerms); }

void for_each_product(Builder& b, const TileProduct& product, const Array& left, const Array& right,
                      const std::function<void(const Value&, const Value&, const Value&)>& store,
                      const std::function<void()>& after) {
  const Value& side = product.side;
  const Value columns = b.tunable("quads", product.quads) * kQuad;
  const Array sums = b.private_array(f32, "sums", columns * kRows);
  b.workgroup(kGroup);
  b.grid((side / columns * (side / kRows) + (kGroup - 1)) / kGroup);
  auto g = b.let("g", b.global_id());
  auto width = b.let("width", columns);
  // Neighbouring invocations have the same columns and the next rows, so that the columns stay in
  // the cache.
  auto down = b.let("down", side / kRows);
  // The limits are beyond every matrix. They let the bounds analysis prove that nothing wraps.
  auto row = b.let("row", min(g % down, 0x3fffffffU) * kRows);
  auto column = b.let("column", min(g / down, 0xffffffU) * width);
  b.if_(row + (kRows - 1) < side && column + (width - 1) < side, [&] {
    const Turn turn{product, left, right, sums, row, column, width};
    b.for_("turn", 0, product.depth / kTerms, [&](const Value& k) { turn.add(b, k); });
    for (std::uint32_t r = 0; r < kRows; ++r) {
      b.for_("c", 0, width,
             [&](const Value& c) { store(row + r, column + c, sums[width * r + c]); });
    }
    after();
  });
}

}  // namespace vyre::primitives
