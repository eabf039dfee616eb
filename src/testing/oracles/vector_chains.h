// The chains of vectors and matrices in plain C++: see chain_data.h.

#pragma once

#include "testing/oracles/chain_data.h"

namespace vyre::testing {

ChainOutputs vadd(const ChainData& data);
ChainOutputs waxpby(const ChainData& data);
ChainOutputs saxpy4(const ChainData& data);
ChainOutputs axpydot(const ChainData& data);
ChainOutputs gesummv(const ChainData& data);
ChainOutputs gemver(const ChainData& data);
ChainOutputs gemm_bias_gelu(const ChainData& data);

// The product of an m x k and a k x n matrix, row by row.
std::vector<double> matrix_product(const Floats& a, const Floats& b, std::size_t m, std::size_t n,
                                   std::size_t k);

}  // namespace vyre::testing
