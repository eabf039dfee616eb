// Known: the configurations that a strategy has asked for or been told about, and a random order
// for the rest. Every strategy keeps one.

#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vyre/substrate/search.h"

namespace vyre {

class Known {
 public:
  Known(const space::Space& space, const StrategyOptions& options)
      : space_(space), generator_(options.seed), start_(options.start) {}

  // Marks a configuration as asked for; false if it was marked before.
  bool take(std::uint64_t index) { return taken_.insert(index).second; }
  bool is_taken(std::uint64_t index) const { return taken_.contains(index); }
  std::uint64_t left() const { return space_.size() - taken_.size(); }

  // Marks a configuration as known; false if a result was told before.
  bool tell(std::uint64_t index, const Result& result) {
    taken_.insert(index);
    return results_.emplace(index, result).second;
  }
  const Result* find(std::uint64_t index) const {
    const auto it = results_.find(index);
    return it == results_.end() ? nullptr : &it->second;
  }
  const std::unordered_map<std::uint64_t, Result>& results() const { return results_; }

  // Takes the next start that is still free; none when all have been asked for.
  std::optional<std::uint64_t> take_start();

  // Takes a free configuration, each equally likely; none when none is left.
  std::optional<std::uint64_t> take_random();

  const space::Space& space() const { return space_; }
  std::mt19937_64& generator() { return generator_; }

 private:
  space::Space space_;
  std::mt19937_64 generator_;
  std::vector<std::uint64_t> start_;
  std::size_t next_start_ = 0;
  std::unordered_set<std::uint64_t> taken_;
  std::unordered_map<std::uint64_t, Result> results_;
  std::vector<std::uint64_t> rest_;  // once few are left: all of them, shuffled
};

// Numbers from a generator that are the same in every standard library.
std::uint64_t below(std::mt19937_64& generator, std::uint64_t bound);  // bound > 0
double unit(std::mt19937_64& generator);                               // in [0, 1)
double normal(std::mt19937_64& generator);

}  // namespace vyre
