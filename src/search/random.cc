#include "search/random.h"

#include <algorithm>

#include "search/known.h"

namespace vyre {
namespace {

class Random final : public Strategy {
 public:
  Random(const space::Space& space, const StrategyOptions& options) : known_(space, options) {}

  std::vector<std::uint64_t> ask(std::size_t most, double seconds) override {
    known_.set_limit(seconds);
    std::vector<std::uint64_t> out;
    while (out.size() < most) {
      auto next = known_.take_start();
      if (!next) next = known_.take_random();
      if (!next) break;
      out.push_back(*next);
    }
    return out;
  }

  void tell(std::uint64_t index, const Result& result) override { known_.tell(index, result); }
  void withdraw(std::uint64_t index) override { known_.withdraw(index); }

  std::optional<double> expected_seconds(std::uint64_t index) const override {
    return known_.costs().seconds(index);
  }

 private:
  Known known_;
};

class Exhaustive final : public Strategy {
 public:
  Exhaustive(const space::Space& space, const StrategyOptions& options) : known_(space, options) {}

  std::vector<std::uint64_t> ask(std::size_t most, double seconds) override {
    known_.set_limit(seconds);
    std::vector<std::uint64_t> out;
    while (out.size() < most) {
      auto next = known_.take_start();
      if (!next) next = take_next();
      if (!next) break;
      out.push_back(*next);
    }
    return out;
  }

  void tell(std::uint64_t index, const Result& result) override { known_.tell(index, result); }
  void withdraw(std::uint64_t index) override {
    if (known_.withdraw(index)) next_ = std::min(next_, index);
  }

  std::optional<double> expected_seconds(std::uint64_t index) const override {
    return known_.costs().seconds(index);
  }

 private:
  // Configurations that do not fit now are passed over, not forgotten.
  std::optional<std::uint64_t> take_next() {
    constexpr std::uint64_t kMostPassed = 1U << 17U;
    while (next_ < known_.space().size() && known_.is_taken(next_)) ++next_;
    const std::uint64_t end = std::min(known_.space().size(), next_ + kMostPassed);
    for (std::uint64_t index = next_; index < end; ++index) {
      if (known_.take(index)) return index;
    }
    return std::nullopt;
  }

  Known known_;
  std::uint64_t next_ = 0;  // all before it are taken
};

}  // namespace

std::unique_ptr<Strategy> make_random(const space::Space& space, const StrategyOptions& options) {
  return std::make_unique<Random>(space, options);
}

std::unique_ptr<Strategy> make_exhaustive(const space::Space& space,
                                          const StrategyOptions& options) {
  return std::make_unique<Exhaustive>(space, options);
}

}  // namespace vyre
