// Advice: what siblings (other devices, drivers or shapes of the same program) say about the
// configurations of this space.
//
// Each sibling's times are expressed in deviations from its own usual time, and slow times are bent
// as in targets.h. Where a sibling has no result, a model of its results predicts one: a Gaussian
// process with the covariance of the search before anything is learnt. So even a single decision
// favours the configurations that have much in common with it.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/natural/covariance.h"
#include "vyre/substrate/search.h"

namespace vyre::natural {

class Advice {
 public:
  Advice(const space::Space& space, const Encoding& encoding, std::span<const Hint> hints);

  std::size_t siblings() const { return siblings_.size(); }

  // One per sibling.
  std::vector<float> of(std::uint64_t index, const Traits& traits) const;

  // First the configuration that the siblings agree on most, then the best of each sibling.
  std::span<const std::uint64_t> favourites() const { return favourites_; }
  // A few hundred configurations that one sibling, or all together, find best.
  std::span<const std::uint64_t> promising() const { return promising_; }

 private:
  struct Sibling {
    std::unordered_map<std::uint64_t, float> at;
    std::vector<std::uint64_t> ranked;  // best first
    Columns witnesses;                  // what its model rests on; none: every result is known
    Eigen::VectorXf weights;            // of each
  };

  Sibling make_sibling(const space::Space& space, const Hint& hint) const;
  void add_model(const space::Space& space, Sibling& sibling) const;
  float heard(const Sibling& sibling, const Traits& traits) const;
  void rank();

  const Encoding& encoding_;
  Covariance covariance_;
  std::vector<Sibling> siblings_;
  std::vector<std::uint64_t> favourites_;
  std::vector<std::uint64_t> promising_;
};

}  // namespace vyre::natural
