// The programs of fisher_block.
//
// The weights are divided by their sum, the weighted mean of the samples is found, and each sample
// becomes sqrt(weight) * (sample - mean). The product of that matrix with itself is the covariance;
// the last launch adds lambda on its diagonal.

#pragma once

#include <cstdint>

#include "vyre/builder.h"

namespace vyre::primitives {

// Declares the buffers of fisher_block for k samples of n numbers, and its steps.
void build_fisher(ir::SequenceBuilder& s, std::uint32_t n, std::uint32_t k);

}  // namespace vyre::primitives
