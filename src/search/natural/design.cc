#include "search/natural/design.h"

#include <algorithm>
#include <limits>

namespace vyre::natural {
namespace {

constexpr std::size_t kStarts = 4;
constexpr std::size_t kSample = 400;
constexpr std::size_t kMostDrawn = 20'000;
constexpr std::size_t kEnoughEven = 8;

std::vector<std::uint64_t> sample_of(const space::Space& space, const Encoding& encoding,
                                     EndlessDraw& draw) {
  std::vector<std::uint64_t> all = draw.next(std::min<std::uint64_t>(space.size(), kMostDrawn));
  std::vector<std::uint64_t> even;
  for (const std::uint64_t index : all) {
    if (encoding.unevenness(space.at(index)) == 0) even.push_back(index);
  }
  std::vector<std::uint64_t>& chosen = even.size() >= kEnoughEven ? even : all;
  if (chosen.size() > kSample) chosen.resize(kSample);
  return chosen;
}

std::vector<Code> code_of(const space::Space& space, const Encoding& encoding,
                          std::uint64_t index) {
  std::vector<Code> code(encoding.groups().size());
  encoding.encode(space.at(index), code);
  return code;
}

}  // namespace

std::vector<std::uint64_t> starting_points(const space::Space& space, const Features& features,
                                           std::vector<std::uint64_t> given, EndlessDraw& draw) {
  const Encoding& encoding = features.encoding();
  const std::vector<std::uint64_t> sample = sample_of(space, encoding, draw);
  std::vector<std::vector<Code>> codes;
  for (const std::uint64_t index : sample) codes.push_back(code_of(space, encoding, index));
  std::vector<double> nearest(sample.size(), 1e9);
  const auto take = [&](const std::vector<Code>& code) {
    for (std::size_t j = 0; j < codes.size(); ++j) {
      nearest[j] = std::min(nearest[j], encoding.distance(code, codes[j]));
    }
  };
  std::vector<std::uint64_t> out = std::move(given);
  std::ranges::copy(features.favourites(), std::back_inserter(out));
  for (const std::uint64_t index : out) take(code_of(space, encoding, index));
  while (out.size() < std::min(kStarts, sample.size())) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < codes.size(); ++a) {
      double sum = 0;
      for (std::size_t j = 0; j < codes.size() && sum < least; ++j) {
        sum += std::min(nearest[j], encoding.distance(codes[a], codes[j]));
      }
      if (sum < least) {
        least = sum;
        best = a;
      }
    }
    if (std::ranges::find(out, sample[best]) != out.end()) break;
    out.push_back(sample[best]);
    take(codes[best]);
  }
  return out;
}

}  // namespace vyre::natural
