#include "search/evolution.h"

#include <algorithm>

#include "search/known.h"

namespace vyre {
namespace {

constexpr std::size_t kPopulation = 20;
constexpr int kTries = 20;

class Evolution final : public Strategy {
 public:
  Evolution(const space::Space& space, const StrategyOptions& options) : known_(space, options) {}

  std::vector<std::uint64_t> ask(std::size_t most, double seconds) override {
    known_.set_limit(seconds);
    std::vector<std::uint64_t> out;
    while (out.size() < most) {
      auto next = known_.take_start();
      if (!next && best_.size() < kPopulation) next = known_.take_random();
      if (!next) next = child();
      if (!next) next = known_.take_random();
      if (!next) break;
      out.push_back(*next);
    }
    return out;
  }

  void tell(std::uint64_t index, const Result& result) override {
    if (!known_.tell(index, result) || result.status != Status::ok) return;
    const auto faster = [](const Member& a, const Member& b) { return a.time_ms < b.time_ms; };
    const Member member{index, result.time_ms};
    best_.insert(std::ranges::upper_bound(best_, member, faster), member);
    if (best_.size() > kPopulation) best_.pop_back();
  }

  void withdraw(std::uint64_t index) override { known_.withdraw(index); }

  std::optional<double> expected_seconds(std::uint64_t index) const override {
    return known_.costs().seconds(index);
  }

 private:
  struct Member {
    std::uint64_t index = 0;
    double time_ms = 0;
  };

  std::optional<std::uint64_t> child() {
    if (best_.size() < 2) return std::nullopt;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const space::Point first = known_.space().at(parent());
      space::Point point = first;
      cross(point, known_.space().at(parent()));
      mutate(point);
      if (const auto index = known_.space().index_of(point)) {
        if (known_.take(*index)) return index;
        continue;
      }
      const auto near = known_.space().hamming_neighbours(first);
      if (near.empty()) continue;
      const std::uint64_t index = near[below(known_.generator(), near.size())];
      if (known_.take(index)) return index;
    }
    return std::nullopt;
  }

  // best_ is sorted, so the smaller of two places is the faster of the two.
  std::uint64_t parent() {
    const std::uint64_t a = below(known_.generator(), best_.size());
    const std::uint64_t b = below(known_.generator(), best_.size());
    return best_[std::min(a, b)].index;
  }

  void cross(space::Point& point, const space::Point& other) {
    for (std::size_t p = 0; p < point.size(); ++p) {
      if (below(known_.generator(), 2) == 0) point[p] = other[p];
    }
  }

  // One parameter on average.
  void mutate(space::Point& point) {
    for (std::size_t p = 0; p < point.size(); ++p) {
      const auto count = static_cast<std::uint32_t>(known_.space().parameters()[p].values.size());
      if (count < 2 || below(known_.generator(), point.size()) != 0) continue;
      const bool up = below(known_.generator(), 2) == 0;
      if (up && point[p] + 1 < count)
        ++point[p];
      else if (point[p] > 0)
        --point[p];
    }
  }

  Known known_;
  std::vector<Member> best_;  // fastest first
};

}  // namespace

std::unique_ptr<Strategy> make_evolution(const space::Space& space,
                                         const StrategyOptions& options) {
  return std::make_unique<Evolution>(space, options);
}

}  // namespace vyre
