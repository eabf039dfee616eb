#include "search/natural/covariance.h"

#include <algorithm>
#include <cmath>

namespace vyre::natural {
namespace {

constexpr float kConstant = 1;

float share_of(double logit) { return static_cast<float>(1 / (1 + std::exp(-logit))); }

}  // namespace

Covariance::Covariance(const Encoding& encoding, std::size_t siblings)
    : encoding_(encoding), siblings_(siblings), pairs_(encoding.groups().size()) {}

void Covariance::set(const Theta& theta) {
  const std::size_t lengths = encoding_.coordinate_count();
  std::size_t next = lengths;
  noise_ = std::exp(theta[next++]);
  additive_ = share_of(theta[next++]);
  by_products_ = encoding_.products().empty() ? 0 : share_of(theta[next++]);
  reach_.resize(siblings_);
  for (float& reach : reach_) reach = static_cast<float>(std::exp(2 * theta[next++]));
  std::size_t first = 0;
  for (std::size_t g = 0; g < encoding_.groups().size(); ++g) {
    const std::size_t count = encoding_.groups()[g].coordinates.size();
    const std::span wanted = std::span(theta).subspan(first, count);
    const bool have =
        !theta_.empty() && std::ranges::equal(wanted, std::span(theta_).subspan(first, count));
    if (!have) fill_tables(g, wanted);
    first += count;
  }
  theta_ = theta;
}

void Covariance::fill_tables(std::size_t group, std::span<const double> log_lengths) {
  const Group& g = encoding_.groups()[group];
  const std::size_t n = g.values;
  const float share = 1.0F / static_cast<float>(encoding_.groups().size());
  pairs_[group].assign(n * n, {0, share});
  std::vector<double> scales;
  for (const double l : log_lengths) scales.push_back(std::exp(-l));
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      double square = 0;
      for (std::size_t k = 0; k < g.coordinates.size(); ++k) {
        const double apart = g.ordered ? g.coordinates[k].at[a] - g.coordinates[k].at[b] : 1;
        const double d = apart * scales[k];
        square += d * d;
      }
      const auto s = static_cast<float>(square);
      pairs_[group][a * n + b] = pairs_[group][b * n + a] = {s, share * matern52(s)};
    }
  }
}

double Covariance::variance(const Traits& x) const {
  double out = 1 + kConstant;
  for (std::size_t k = 0; k < siblings_; ++k) out += reach_[k] * x.advice[k] * x.advice[k];
  return out;
}

Eigen::ArrayXf Covariance::variances(const Columns& columns) const {
  const auto n = static_cast<Eigen::Index>(columns.size());
  Eigen::ArrayXf out = Eigen::ArrayXf::Constant(n, 1 + kConstant);
  for (std::size_t k = 0; k < siblings_; ++k) out += reach_[k] * columns.advice_of(k, n).square();
  return out;
}

double Covariance::operator()(const Traits& x, const Traits& y) const {
  float square = 0;
  float parts = 0;
  for (std::size_t g = 0; g < pairs_.size(); ++g) {
    const std::size_t at = x.codes[g] * std::size_t{encoding_.groups()[g].values} + y.codes[g];
    square += pairs_[g][at].square;
    parts += pairs_[g][at].part;
  }
  if (by_products_ > 0) {
    parts += by_products_ * (encoding_.products().likeness(x.codes, y.codes) - parts);
  }
  float out = (1 - additive_) * matern52(square) + additive_ * parts + kConstant;
  for (std::size_t k = 0; k < siblings_; ++k) out += reach_[k] * x.advice[k] * y.advice[k];
  return out;
}

void Covariance::row(const Traits& x, const Columns& columns,
                     Eigen::Ref<Eigen::ArrayXf> out) const {
  thread_local Eigen::ArrayXf sums;
  thread_local std::vector<const Pair*> tables;
  thread_local std::vector<const Code*> codes;
  sums.resize(out.size());
  tables.clear();
  codes.clear();
  for (std::size_t g = 0; g < pairs_.size(); ++g) {
    tables.push_back(pairs_[g].data() + x.codes[g] * std::size_t{encoding_.groups()[g].values});
    codes.push_back(columns.codes[g].data());
  }
  const std::size_t groups = tables.size();
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    Pair sum;
    for (std::size_t g = 0; g < groups; ++g) {
      const Pair pair = tables[g][codes[g][i]];
      sum.square += pair.square;
      sum.part += pair.part;
    }
    out[i] = sum.square;
    sums[i] = sum.part;
  }
  if (by_products_ > 0) {
    sums += by_products_ * (columns.likeness(x, encoding_.products(), out.size()) - sums);
  }
  out = (5 * out).sqrt();
  out = (1 - additive_) * ((1 + out + out.square() / 3) * (-out).exp()) + additive_ * sums +
        kConstant;
  for (std::size_t k = 0; k < siblings_; ++k) {
    out += reach_[k] * x.advice[k] * columns.advice_of(k, out.size());
  }
}

}  // namespace vyre::natural
