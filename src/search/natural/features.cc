#include "search/natural/features.h"

namespace vyre::natural {
namespace {

// The expected cost of odd factors before anything is known, in deviations of the targets.
constexpr double kSlowdown = 0.5;
// The trust in siblings before anything is known: the sum of their weights.
constexpr double kTrust = 0.5;

}  // namespace

Traits Features::of(std::uint64_t index) const {
  const space::Point point = space_.at(index);
  Traits out{.index = index, .codes = {}, .advice = {}};
  out.codes.resize(encoding_.groups().size());
  if (!out.codes.empty()) encoding_.encode(point, out.codes);
  out.advice = advice_.of(index, out);
  out.expected_odd = static_cast<float>(kSlowdown * encoding_.unevenness(point));
  for (const float a : out.advice) {
    out.expected += static_cast<float>(kTrust) * a / static_cast<float>(siblings());
  }
  return out;
}

}  // namespace vyre::natural
