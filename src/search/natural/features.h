// Features: the traits of every configuration of a space.

#pragma once

#include <cstdint>
#include <span>

#include "search/natural/advice.h"
#include "search/natural/traits.h"

namespace vyre::natural {

class Features {
 public:
  Features(const space::Space& space, std::span<const Hint> hints)
      : space_(space), encoding_(space), advice_(space, encoding_, hints) {}

  const Encoding& encoding() const { return encoding_; }
  std::size_t siblings() const { return advice_.siblings(); }
  Traits of(std::uint64_t index) const;

  // The siblings' choices to start with, and their choices to look at; best first.
  std::span<const std::uint64_t> favourites() const { return advice_.favourites(); }
  std::span<const std::uint64_t> promising() const { return advice_.promising(); }

 private:
  const space::Space& space_;
  Encoding encoding_;
  Advice advice_;
};

}  // namespace vyre::natural
