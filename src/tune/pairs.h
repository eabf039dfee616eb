// Pairs: the winner of a race side by side with the default, and with the decision that it would
// replace.
//
// A device drifts, so what was sampled at another time says little about how many times faster the
// winner is. Here all run in turn, forwards and backwards, and each round gives one ratio.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/substrate/estimate.h"

namespace vyre {

class Pairs {
 public:
  static constexpr std::uint32_t kFewest = 3;  // rounds
  static constexpr std::uint32_t kMost = 15;

  // Begins anew, with these configurations. One alone needs no pairs.
  void choose(std::vector<std::uint64_t> rivals);
  std::span<const std::uint64_t> rivals() const { return rivals_; }
  bool has_rivals(std::span<const std::uint64_t> rivals) const;

  // Whose turn it is.
  std::uint64_t next() const { return order_[place_]; }
  void tell(double ns);
  std::uint32_t rounds() const { return rounds_; }

  // No more are needed: there are many, or a few and the seconds are spent (0: no limit).
  bool is_enough(double limit, double now) const;

  // Of whole rounds. None: not among the rivals.
  std::span<const double> samples_ns(std::uint64_t index) const;

 private:
  std::vector<std::uint64_t> rivals_;
  std::vector<std::vector<double>> ns_;  // of each of them
  std::vector<std::uint64_t> order_;     // of this round
  std::size_t place_ = 0;
  std::uint32_t rounds_ = 0;
};

}  // namespace vyre
