#include "search/natural/design.h"

#include <algorithm>
#include <array>
#include <limits>

namespace vyre::natural {
namespace {

constexpr std::size_t kStarts = 4;
constexpr std::size_t kEvenStarts = 3;  // the first of them
constexpr std::size_t kSample = 400;
constexpr std::size_t kMostDrawn = 20'000;
constexpr std::size_t kEnoughEven = 8;

struct Sample {
  std::vector<std::uint64_t> indices;
  std::vector<std::vector<Code>> codes;
  std::vector<char> is_even;
  bool has_even = false;  // enough to choose among
};

std::vector<Code> code_of(const space::Space& space, const Encoding& encoding,
                          std::uint64_t index) {
  std::vector<Code> code(encoding.groups().size());
  encoding.encode(space.at(index), code);
  return code;
}

// Half of it without odd factors, where there are as many.
Sample sample_of(const space::Space& space, const Encoding& encoding, EndlessDraw& draw) {
  Sample out;
  std::array<std::size_t, 2> have{};
  for (const std::uint64_t index : draw.next(std::min<std::uint64_t>(space.size(), kMostDrawn))) {
    const bool is_even = encoding.unevenness(space.at(index)) == 0;
    if (have[is_even ? 1 : 0]++ >= kSample / 2) continue;
    out.indices.push_back(index);
    out.codes.push_back(code_of(space, encoding, index));
    out.is_even.push_back(is_even ? 1 : 0);
  }
  out.has_even = have[1] >= kEnoughEven;
  return out;
}

}  // namespace

std::vector<std::uint64_t> starting_points(const space::Space& space, const Features& features,
                                           std::vector<std::uint64_t> given, EndlessDraw& draw) {
  const Encoding& encoding = features.encoding();
  const Sample sample = sample_of(space, encoding, draw);
  const auto& codes = sample.codes;
  std::vector<double> nearest(codes.size(), 1e9);
  const auto take = [&](const std::vector<Code>& code) {
    for (std::size_t j = 0; j < codes.size(); ++j) {
      nearest[j] = std::min(nearest[j], encoding.distance(code, codes[j]));
    }
  };
  std::vector<std::uint64_t> out = std::move(given);
  std::ranges::copy(features.favourites(), std::back_inserter(out));
  for (const std::uint64_t index : out) take(code_of(space, encoding, index));
  const std::size_t last_even = sample.has_even ? out.size() + kEvenStarts : 0;
  while (out.size() < std::min(kStarts, codes.size())) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < codes.size(); ++a) {
      if (out.size() < last_even && sample.is_even[a] == 0) continue;
      double sum = 0;
      for (std::size_t j = 0; j < codes.size() && sum < least; ++j) {
        sum += std::min(nearest[j], encoding.distance(codes[a], codes[j]));
      }
      if (sum < least) {
        least = sum;
        best = a;
      }
    }
    if (std::ranges::find(out, sample.indices[best]) != out.end()) break;
    out.push_back(sample.indices[best]);
    take(codes[best]);
  }
  return out;
}

}  // namespace vyre::natural
