#include "search/natural/candidates.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace vyre::natural {
namespace {

// A small space is looked at as a whole.
constexpr std::size_t kSmallSpace = 1024;
constexpr std::size_t kCandidates = 512;
constexpr std::size_t kKept = kCandidates / 4;
constexpr std::uint64_t kListable = 1U << 17U;
constexpr float kPriorWeight = 0.5F;
constexpr double kNear = 0.2;  // where a failure still counts, of a parameter's range

}  // namespace

EndlessDraw::EndlessDraw(const space::Space& space, std::mt19937_64& generator)
    : space_(space), generator_(generator) {
  if (space.size() > kListable) return;
  order_.resize(space.size());
  std::iota(order_.begin(), order_.end(), std::uint64_t{0});
}

std::vector<std::uint64_t> EndlessDraw::next(std::size_t count) {
  std::vector<std::uint64_t> out;
  if (order_.empty()) {
    while (out.size() < count) out.push_back(space_.sample(generator_));
    return out;
  }
  for (std::size_t k = 0; k < std::min(count, order_.size()); ++k) {
    if (cursor_ == 0) {
      for (std::size_t i = order_.size(); i > 1; --i) {
        std::swap(order_[i - 1], order_[below(generator_, i)]);
      }
    }
    out.push_back(order_[cursor_]);
    cursor_ = (cursor_ + 1) % order_.size();
  }
  return out;
}

void Candidates::refresh(Known& known, EndlessDraw& draw, std::span<const std::uint64_t> best) {
  const std::size_t most = known.space().size() <= kSmallSpace ? kSmallSpace : kCandidates;
  std::vector<std::uint64_t> next;
  std::unordered_set<std::uint64_t> in;
  const auto put = [&](std::uint64_t index) {
    if (next.size() < most && !known.is_taken(index) && in.insert(index).second) {
      next.push_back(index);
    }
  };
  const auto any = [](std::uint64_t) { return true; };
  for (const std::size_t i : shortlist(kKept, any)) put(indices_[i]);
  for (const std::uint64_t b : best) {
    for (const std::uint64_t n : known.space().hamming_neighbours(known.space().at(b))) put(n);
  }
  for (const std::uint64_t index : features_.promising()) put(index);
  for (int round = 0; round < 4 && next.size() < most; ++round) {
    for (const std::uint64_t index : draw.next(most - next.size())) put(index);
  }
  if (next.empty()) {
    for (const std::uint64_t index : draw.next(known.space().size())) put(index);
  }
  indices_ = std::move(next);
  scores_.resize(0);
  spent_.assign(indices_.size(), 0);
  left_ = indices_.size();
  columns_ = {};
  points_.clear();
  for (const std::uint64_t index : indices_) points_.push_back(known.space().at(index));
  for (const std::uint64_t index : indices_) columns_.add(features_.of(index));
  ran_.setConstant(static_cast<Eigen::Index>(indices_.size()), kPriorWeight);
  weight_ = ran_;
  weighed_ = 0;
}

Eigen::ArrayXf Candidates::log_seconds(const Costs& costs) const {
  Eigen::ArrayXf out(static_cast<Eigen::Index>(points_.size()));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    out[static_cast<Eigen::Index>(i)] = static_cast<float>(costs.log_seconds(points_[i]));
  }
  return out;
}

void Candidates::spend(std::uint64_t index) { mark(index, true); }

void Candidates::give_back(std::uint64_t index) { mark(index, false); }

void Candidates::mark(std::uint64_t index, bool spent) {
  const auto it = std::ranges::find(indices_, index);
  if (it == indices_.end()) return;
  char& is_spent = spent_[static_cast<std::size_t>(it - indices_.begin())];
  left_ = left_ + static_cast<std::size_t>(is_spent) - (spent ? 1 : 0);
  is_spent = spent ? 1 : 0;
}

std::vector<std::size_t> Candidates::shortlist(
    std::size_t most, const std::function<bool(std::uint64_t index)>& fits) const {
  std::vector<std::size_t> order;
  if (scores_.size() == 0) return order;
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    if (!is_spent(i) && fits(indices_[i])) order.push_back(i);
  }
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [this](std::size_t a, std::size_t b) {
    const float x = scores_[static_cast<Eigen::Index>(a)];
    const float y = scores_[static_cast<Eigen::Index>(b)];
    return x != y ? x > y : a < b;
  });
  order.erase(end, order.end());
  return order;
}

Eigen::ArrayXf Candidates::chance_to_run(const Observed& observed,
                                         std::span<const std::optional<double>> times) {
  const auto n = static_cast<Eigen::Index>(indices_.size());
  const auto ran = [](const std::optional<double>& t) { return t.has_value(); };
  if (std::ranges::all_of(times, ran)) return Eigen::ArrayXf::Ones(n);
  for (; weighed_ < times.size(); ++weighed_) {
    weigh(observed.traits[weighed_].codes, times[weighed_].has_value());
  }
  return ran_ / weight_;
}

void Candidates::weigh(std::span<const Code> code, bool ran) {
  Eigen::ArrayXf square = Eigen::ArrayXf::Zero(ran_.size());
  std::vector<float> table;
  const Encoding& encoding = features_.encoding();
  for (std::size_t g = 0; g < encoding.parameter_groups(); ++g) {
    table.clear();
    for (std::uint32_t v = 0; v < encoding.groups()[g].values; ++v) {
      const double apart = encoding.step(g, code[g], static_cast<Code>(v));
      table.push_back(static_cast<float>(apart * apart));
    }
    const Code* codes = columns_.codes[g].data();
    for (Eigen::Index i = 0; i < square.size(); ++i) square[i] += table[codes[i]];
  }
  const Eigen::ArrayXf near = (square * static_cast<float>(-0.5 / (kNear * kNear))).exp();
  weight_ += near;
  if (ran) ran_ += near;
}

}  // namespace vyre::natural
