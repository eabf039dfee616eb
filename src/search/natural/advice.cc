#include "search/natural/advice.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "search/natural/surrogate.h"
#include "search/natural/targets.h"

namespace vyre::natural {
namespace {

constexpr std::size_t kMostSiblings = 8;
constexpr std::size_t kMostFavourites = 4;
constexpr std::size_t kMostWitnesses = 64;
constexpr std::size_t kMostPromising = 128;  // of each, and of all together
// Fewer results than this do not show what is usual. Then the best counts as one deviation better
// than usual, and a factor of e as one deviation.
constexpr std::size_t kEnough = 8;
constexpr double kAdviceNoise = 0.1;  // of the variance: its model is not fitted

std::vector<float> advice_of(const Hint& hint) {
  std::vector<float> out;
  if (hint.times.size() < kEnough) {
    double best = hint.times.front().time;
    for (const Hint::Time& t : hint.times) best = std::min(best, t.time);
    for (const Hint::Time& t : hint.times) {
      out.push_back(static_cast<float>(std::log(t.time / best) - 1));
    }
    return out;
  }
  std::vector<std::optional<double>> times;
  for (const Hint::Time& t : hint.times) times.emplace_back(t.time);
  const Eigen::VectorXd values = make_targets(times).values;
  for (const double v : values) out.push_back(static_cast<float>(v));
  return out;
}

}  // namespace

Advice::Advice(const space::Space& space, const Encoding& encoding, std::span<const Hint> hints)
    : encoding_(encoding), covariance_(encoding) {
  covariance_.set(Prior(encoding).mean);
  for (const Hint& hint : hints) {
    if (hint.times.empty() || siblings_.size() == kMostSiblings) continue;
    siblings_.push_back(make_sibling(space, hint));
  }
  if (!siblings_.empty()) rank();
}

Advice::Sibling Advice::make_sibling(const space::Space& space, const Hint& hint) const {
  Sibling out;
  const std::vector<float> advice = advice_of(hint);
  for (std::size_t i = 0; i < advice.size(); ++i) out.at.emplace(hint.times[i].index, advice[i]);
  for (const auto& [index, value] : out.at) out.ranked.push_back(index);
  std::ranges::sort(out.ranked, {},
                    [&](std::uint64_t index) { return std::pair(out.at.at(index), index); });
  if (out.at.size() == space.size() || encoding_.groups().empty()) return out;
  add_model(space, out);
  return out;
}

// Picks results evenly over the ranks, so that they stand for all.
void Advice::add_model(const space::Space& space, Sibling& sibling) const {
  const std::size_t count = std::min(kMostWitnesses, sibling.ranked.size());
  const auto n = static_cast<Eigen::Index>(count);
  Eigen::VectorXf values(n);
  Eigen::MatrixXf covariance(n, n);
  Eigen::ArrayXf row(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::uint64_t index =
        sibling.ranked[static_cast<std::size_t>(i) * sibling.ranked.size() / count];
    Traits traits{
        .index = index, .codes = std::vector<Code>(encoding_.groups().size()), .advice = {}};
    encoding_.encode(space.at(index), traits.codes);
    sibling.witnesses.add(traits);
    values[i] = sibling.at.at(index);
    covariance_.row(traits, sibling.witnesses, row.head(i + 1));
    covariance.row(i).head(i + 1) = row.head(i + 1);
    covariance(i, i) += static_cast<float>(kAdviceNoise);
  }
  sibling.weights = covariance.selfadjointView<Eigen::Lower>().llt().solve(values);
}

std::vector<float> Advice::of(std::uint64_t index, const Traits& traits) const {
  std::vector<float> out;
  for (const Sibling& sibling : siblings_) {
    const auto it = sibling.at.find(index);
    out.push_back(it != sibling.at.end() ? it->second : heard(sibling, traits));
  }
  return out;
}

float Advice::heard(const Sibling& sibling, const Traits& traits) const {
  Eigen::ArrayXf row(sibling.weights.size());
  covariance_.row(traits, sibling.witnesses, row);
  return sibling.weights.dot(row.matrix());
}

void Advice::rank() {
  std::map<std::uint64_t, float> sums;  // a value that a sibling does not know counts as usual
  for (const Sibling& sibling : siblings_) {
    for (const auto& [index, value] : sibling.at) sums[index] += value;
  }
  std::vector<std::pair<float, std::uint64_t>> agreed;
  for (const auto& [index, sum] : sums) agreed.emplace_back(sum, index);
  std::ranges::sort(agreed);
  const auto put = [](std::vector<std::uint64_t>& list, std::uint64_t index) {
    if (std::ranges::find(list, index) == list.end()) list.push_back(index);
  };
  put(favourites_, agreed.front().second);
  for (const Sibling& sibling : siblings_) {
    if (favourites_.size() < kMostFavourites) put(favourites_, sibling.ranked.front());
  }
  for (std::size_t k = 0; k < kMostPromising; ++k) {
    if (k < agreed.size()) put(promising_, agreed[k].second);
    for (const Sibling& sibling : siblings_) {
      if (k < sibling.ranked.size()) put(promising_, sibling.ranked[k]);
    }
  }
}

}  // namespace vyre::natural
