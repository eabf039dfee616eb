// The chains that work row by row, in plain C++: see chain_data.h.

#pragma once

#include "testing/oracles/chain_data.h"

namespace vyre::testing {

ChainOutputs rmsnorm(const ChainData& data);
ChainOutputs layernorm(const ChainData& data);
ChainOutputs softmax(const ChainData& data);
ChainOutputs attention(const ChainData& data);

}  // namespace vyre::testing
