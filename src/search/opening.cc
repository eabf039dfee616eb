#include "search/opening.h"

#include <algorithm>
#include <deque>
#include <set>

namespace vyre {
namespace {

class WithOpening final : public Strategy {
 public:
  WithOpening(std::unique_ptr<Strategy> rest, Opening opening)
      : rest_(std::move(rest)),
        opening_(std::move(opening)),
        queue_(opening_.first.begin(), opening_.first.end()),
        open_(opening_.first.begin(), opening_.first.end()) {}

  std::vector<std::uint64_t> ask(std::size_t most, double seconds) override {
    std::vector<std::uint64_t> out;
    while (out.size() < most && !queue_.empty()) {
      const std::uint64_t index = queue_.front();
      const auto cost = rest_->expected_seconds(index);
      if (cost && *cost > seconds) break;
      queue_.pop_front();
      under_way_.insert(index);
      out.push_back(index);
    }
    if (!out.empty() || !is_over_) return out;
    return ask_rest(most, seconds);
  }

  void tell(std::uint64_t index, const Result& result) override {
    rest_->tell(index, result);
    told_.insert(index);
    under_way_.erase(index);
    std::erase(queue_, index);
    if (open_.erase(index) > 0) results_[index] = result;
    if (open_.empty() && !is_over_) follow();
  }

  void withdraw(std::uint64_t index) override {
    if (under_way_.erase(index) == 0) return rest_->withdraw(index);
    queue_.push_front(index);
  }

  std::optional<double> expected_gain() const override {
    // Neither the list nor what follows it is what the other strategy expects.
    return is_over_ && queue_.empty() ? rest_->expected_gain() : std::nullopt;
  }

  std::optional<double> expected_seconds(std::uint64_t index) const override {
    return rest_->expected_seconds(index);
  }

 private:
  void follow() {
    is_over_ = true;
    for (const std::uint64_t index : opening_.follow_up(results_)) {
      const bool is_queued = std::ranges::find(queue_, index) != queue_.end();
      if (!told_.contains(index) && !is_queued) queue_.push_back(index);
    }
  }

  // The other strategy does not know what was asked of the list and is not told yet.
  std::vector<std::uint64_t> ask_rest(std::size_t most, double seconds) {
    std::vector<std::uint64_t> out;
    while (out.size() < most) {
      const auto asked = rest_->ask(1, seconds);
      if (asked.empty()) break;
      if (!under_way_.contains(asked.front())) out.push_back(asked.front());
    }
    return out;
  }

  std::unique_ptr<Strategy> rest_;
  Opening opening_;
  std::deque<std::uint64_t> queue_;  // to be asked for, in this order
  std::set<std::uint64_t> open_;     // of the first list, not told yet
  std::set<std::uint64_t> under_way_;
  std::set<std::uint64_t> told_;
  std::map<std::uint64_t, Result> results_;  // of the first list
  bool is_over_ = false;                     // the first list is done
};

}  // namespace

std::unique_ptr<Strategy> with_opening(std::unique_ptr<Strategy> rest, Opening opening) {
  return std::make_unique<WithOpening>(std::move(rest), std::move(opening));
}

}  // namespace vyre
