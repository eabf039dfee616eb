// ChainData: the inputs of a chain of examples/chains, by name, as its plain computation takes
// them.
//
// The computations are in vector_chains.h, row_chains.h and image_chains.h. Sums are made in f64,
// so a result is right within the rounding of f32 whatever the order of summation. Only tests and
// benchmarks link them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vyre::testing {

using Floats = std::vector<float>;

struct ChainData {
  std::map<std::string, Floats> inputs;
  std::map<std::string, std::uint64_t> sizes;
  std::map<std::string, float> scalars;

  const Floats& input(const char* name) const { return inputs.at(name); }
  std::size_t size(const char* name) const { return sizes.at(name); }
  double scalar(const char* name) const { return static_cast<double>(scalars.at(name)); }
};

// The outputs of the chain, in the order of its declarations.
using ChainOutputs = std::vector<Floats>;

}  // namespace vyre::testing
