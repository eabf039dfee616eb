#include "tune/trial_data.h"

#include <algorithm>
#include <cstring>

#include "ir/ops.h"

namespace vyre {
namespace {

// splitmix64.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

// A few neighbours at a time, from anywhere: elements one by one would miss the cache one by one. A
// prime number of them, which no tile of a kernel is as wide as.
constexpr std::size_t kNeighbours = 61;

std::vector<std::byte> drawn_from(Input given, std::size_t element_bytes, std::uint64_t seed) {
  std::vector<std::byte> out(given.size());
  const std::size_t count = given.size() / element_bytes;
  for (std::size_t k = 0; k < count; k += kNeighbours) {
    const std::size_t from = next_random(seed) % count;
    const std::size_t some = std::min({kNeighbours, count - k, count - from});
    std::memcpy(out.data() + k * element_bytes, given.data() + from * element_bytes,
                some * element_bytes);
    // At the end of the input it goes on from the beginning.
    const std::size_t rest = std::min(kNeighbours, count - k) - some;
    std::memcpy(out.data() + (k + some) * element_bytes, given.data(), rest * element_bytes);
  }
  return out;
}

}  // namespace

TrialData first_data(const Problem& problem) {
  TrialData out;
  for (const Input& input : inputs_of(problem)) out.inputs.push_back({.host = input});
  for (std::size_t k = 0; k < problem.device_inputs.size(); ++k) {
    if (k == out.inputs.size()) out.inputs.emplace_back();
    out.inputs[k].device = problem.device_inputs[k].get();
  }
  return out;
}

bool has_second_data(const Problem& problem) {
  return problem.inputs != nullptr && std::ranges::count(problem.random_inputs, true) > 0;
}

TrialData second_data(const Problem& problem) {
  TrialData out = first_data(problem);
  out.own.resize(out.inputs.size());
  std::size_t next = 0;
  for (const ir::Buffer& buffer : problem.sequence.def().buffers) {
    if (!ir::takes_input(buffer.access)) continue;
    const std::size_t k = next++;
    const bool is_random = k < problem.random_inputs.size() && problem.random_inputs[k];
    if (!is_random || k >= out.own.size() || out.inputs[k].device != nullptr) continue;
    out.own[k] = drawn_from(out.inputs[k].host, ir::element_bytes(buffer), k);
    out.inputs[k].host = out.own[k];
  }
  return out;
}

}  // namespace vyre
