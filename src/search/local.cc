#include "search/local.h"

#include <algorithm>
#include <limits>

#include "search/known.h"

namespace vyre {
namespace {

constexpr int kKickSteps = 3;
constexpr int kKicksInVain = 4;

class Local final : public Strategy {
 public:
  Local(const space::Space& space, const StrategyOptions& options) : known_(space, options) {}

  std::vector<std::uint64_t> ask(std::size_t most, double seconds) override {
    known_.set_limit(seconds);
    std::vector<std::uint64_t> out;
    while (out.size() < most) {
      const auto next = next_one();
      if (!next) break;
      out.push_back(*next);
    }
    return out;
  }

  void tell(std::uint64_t index, const Result& result) override {
    if (!known_.tell(index, result) || result.status != Status::ok) return;
    if (result.time_ms >= here_ms_) return;
    here_ms_ = result.time_ms;
    look_around(index);
    if (result.time_ms < best_ms_) {
      best_ms_ = result.time_ms;
      best_ = index;
      in_vain_ = 0;
    }
  }

  void withdraw(std::uint64_t index) override { known_.withdraw(index); }

  std::optional<double> expected_seconds(std::uint64_t index) const override {
    return known_.costs().seconds(index);
  }

 private:
  std::optional<std::uint64_t> next_one() {
    if (const auto start = known_.take_start()) return start;
    for (;;) {
      while (!around_.empty()) {
        const std::uint64_t index = around_.back();
        around_.pop_back();
        if (known_.take(index)) return index;
      }
      if (!best_ || in_vain_ >= kKicksInVain) {
        restart();
        return known_.take_random();
      }
      ++in_vain_;
      kick();
      if (around_.empty()) return known_.take_random();
    }
  }

  void restart() {
    here_ms_ = std::numeric_limits<double>::infinity();
    in_vain_ = 0;
  }

  // Takes a few random steps from the best; the descent goes on from there.
  void kick() {
    std::uint64_t place = *best_;
    for (int step = 0; step < kKickSteps; ++step) {
      const auto near = known_.space().hamming_neighbours(known_.space().at(place));
      if (near.empty()) break;
      place = near[below(known_.generator(), near.size())];
    }
    here_ms_ = std::numeric_limits<double>::infinity();
    look_around(place);
    around_.push_back(place);
  }

  void look_around(std::uint64_t index) {
    around_ = known_.space().hamming_neighbours(known_.space().at(index));
    for (std::size_t k = around_.size(); k > 1; --k) {
      std::swap(around_[k - 1], around_[below(known_.generator(), k)]);
    }
  }

  Known known_;
  std::vector<std::uint64_t> around_;  // neighbours still to try, the next one last
  double here_ms_ = std::numeric_limits<double>::infinity();
  double best_ms_ = std::numeric_limits<double>::infinity();
  std::optional<std::uint64_t> best_;
  int in_vain_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_local(const space::Space& space, const StrategyOptions& options) {
  return std::make_unique<Local>(space, options);
}

}  // namespace vyre
