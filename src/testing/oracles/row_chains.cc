#include "testing/oracles/row_chains.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "testing/oracles/vector_chains.h"

namespace vyre::testing {
namespace {

using Row = std::span<double>;

// Changes each row by `change`.
template <class Change>
Floats by_rows(std::vector<double> values, std::size_t cols, const Change& change) {
  for (std::size_t first = 0; first < values.size(); first += cols) {
    change(Row(values).subspan(first, cols));
  }
  Floats out;
  for (const double value : values) out.push_back(static_cast<float>(value));
  return out;
}

std::vector<double> widened(const Floats& values) { return {values.begin(), values.end()}; }

double mean_square(Row row) {
  double sum = 0;
  for (const double x : row) sum += x * x;
  return sum / static_cast<double>(row.size());
}

void make_softmax(Row row) {
  const double most = *std::ranges::max_element(row);
  double sum = 0;
  for (double& x : row) sum += x = std::exp(x - most);
  for (double& x : row) x /= sum;
}

}  // namespace

ChainOutputs rmsnorm(const ChainData& data) {
  const Floats& gain = data.input("gain");
  return {by_rows(widened(data.input("x")), data.size("cols"), [&](Row row) {
    const double factor = 1 / std::sqrt(mean_square(row) + data.scalar("epsilon"));
    for (std::size_t c = 0; c < row.size(); ++c) row[c] *= factor * static_cast<double>(gain[c]);
  })};
}

ChainOutputs layernorm(const ChainData& data) {
  const Floats& gain = data.input("gain");
  const Floats& shift = data.input("shift");
  return {by_rows(widened(data.input("x")), data.size("cols"), [&](Row row) {
    double mean = 0;
    for (const double x : row) mean += x / static_cast<double>(row.size());
    for (double& x : row) x -= mean;
    const double factor = 1 / std::sqrt(mean_square(row) + data.scalar("epsilon"));
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = row[c] * factor * static_cast<double>(gain[c]) + static_cast<double>(shift[c]);
    }
  })};
}

ChainOutputs softmax(const ChainData& data) {
  return {by_rows(widened(data.input("x")), data.size("cols"), make_softmax)};
}

ChainOutputs attention(const ChainData& data) {
  const std::size_t keys = data.size("keys");
  auto scores = matrix_product(data.input("q"), data.input("k"), data.size("queries"), keys,
                               data.size("depth"));
  for (double& score : scores) score *= data.scalar("alpha");
  return {by_rows(std::move(scores), keys, make_softmax)};
}

}  // namespace vyre::testing
