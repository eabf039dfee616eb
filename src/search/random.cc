#include "search/random.h"

#include "search/known.h"

namespace vyre {
namespace {

class Random final : public Strategy {
 public:
  Random(const space::Space& space, const StrategyOptions& options) : known_(space, options) {}

  std::vector<std::uint64_t> ask(std::size_t most) override {
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

 private:
  Known known_;
};

class Exhaustive final : public Strategy {
 public:
  Exhaustive(const space::Space& space, const StrategyOptions& options) : known_(space, options) {}

  std::vector<std::uint64_t> ask(std::size_t most) override {
    std::vector<std::uint64_t> out;
    while (out.size() < most) {
      if (const auto start = known_.take_start()) {
        out.push_back(*start);
      } else if (next_ < known_.space().size()) {
        if (known_.take(next_)) out.push_back(next_);
        ++next_;
      } else {
        break;
      }
    }
    return out;
  }

  void tell(std::uint64_t index, const Result& result) override { known_.tell(index, result); }

 private:
  Known known_;
  std::uint64_t next_ = 0;
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
