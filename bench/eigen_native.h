// The algorithms of fisher_block and inverse_sqrt over Eigen's products, built for this very
// processor and all of its cores: what the programs on devices are measured against.

#pragma once

#include <cstddef>
#include <span>

namespace vyre::bench {

// Both take and fill matrices row by row. Threads: what Eigen should use; 0 is all cores.
void eigen_fisher_block(std::span<const float> samples, std::span<const float> weights,
                        float lambda, std::size_t n, int threads, std::span<float> out);

// Returns the residual.
float eigen_inverse_sqrt(std::span<const float> m, std::size_t n, int threads,
                         std::span<float> out);

}  // namespace vyre::bench
