#include "search/natural/traits.h"

namespace vyre::natural {

void Columns::add(const Traits& one) {
  codes.resize(one.codes.size());
  for (std::size_t g = 0; g < one.codes.size(); ++g) codes[g].push_back(one.codes[g]);
  advice_.resize(one.advice.size());
  for (std::size_t k = 0; k < one.advice.size(); ++k) advice_[k].push_back(one.advice[k]);
  expected_.push_back(one.expected);
  expected_odd_.push_back(one.expected_odd);
}

Eigen::Map<const Eigen::ArrayXf> Columns::likeness(const Traits& x, const Products& products,
                                                   Eigen::Index count) const {
  Eigen::ArrayXf& row = likeness_[x.index];
  if (row.size() < count) {
    row.resize(count);
    products.row(x.codes, codes, row);
  }
  return {row.data(), count};
}

Eigen::ArrayXf Columns::expected(View view) const {
  const auto n = static_cast<Eigen::Index>(size());
  Eigen::ArrayXf out = Eigen::Map<const Eigen::ArrayXf>(expected_.data(), n);
  if (view == View::divisibility) out += Eigen::Map<const Eigen::ArrayXf>(expected_odd_.data(), n);
  return out;
}

}  // namespace vyre::natural
