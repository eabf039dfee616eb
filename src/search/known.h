// Known: the configurations that a strategy has asked for or been told about, what they cost, and a
// random order for the rest. Every strategy keeps one.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "search/costs.h"
#include "vyre/substrate/search.h"

namespace vyre {

class Known {
 public:
  Known(const space::Space& space, const StrategyOptions& options)
      : space_(space), costs_(space_), generator_(options.seed), start_(options.start) {}
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;

  // What is expected to cost more than this is not taken until the next limit.
  void set_limit(double seconds) { limit_ = seconds; }
  bool fits(std::uint64_t index) const;

  // Marks a configuration as asked for; false if it was marked before or does not fit.
  bool take(std::uint64_t index) { return fits(index) && taken_.insert(index).second; }
  bool is_taken(std::uint64_t index) const { return taken_.contains(index); }
  std::uint64_t left() const { return space_.size() - taken_.size(); }

  // Marks a configuration as known; false if a result was told before.
  bool tell(std::uint64_t index, const Result& result);
  // Frees a configuration that was taken and not told; false if it is not under way.
  bool withdraw(std::uint64_t index);

  const Result* find(std::uint64_t index) const {
    const auto it = results_.find(index);
    return it == results_.end() ? nullptr : &it->second;
  }
  const Costs& costs() const { return costs_; }

  // Takes the first start that is free and fits, if there is one.
  std::optional<std::uint64_t> take_start();

  // Takes a free configuration that fits, each equally likely. None when none is left, and in a
  // large space also when hardly any fits.
  std::optional<std::uint64_t> take_random();

  const space::Space& space() const { return space_; }
  std::mt19937_64& generator() { return generator_; }

 private:
  std::optional<std::uint64_t> take_sample();
  void list_rest();

  space::Space space_;
  Costs costs_;
  double limit_ = std::numeric_limits<double>::infinity();
  std::mt19937_64 generator_;
  std::vector<std::uint64_t> start_;
  std::unordered_set<std::uint64_t> taken_;
  std::unordered_map<std::uint64_t, Result> results_;
  std::vector<std::uint64_t> rest_;  // once few are left: all of them, shuffled
};

// Numbers from a generator that are the same in every standard library.
std::uint64_t below(std::mt19937_64& generator, std::uint64_t bound);  // bound > 0
double unit(std::mt19937_64& generator);                               // in [0, 1)
double normal(std::mt19937_64& generator);

}  // namespace vyre
