// The chains of images in plain C++: see chain_data.h.

#pragma once

#include "testing/oracles/chain_data.h"

namespace vyre::testing {

ChainOutputs blur(const ChainData& data);
ChainOutputs unsharp(const ChainData& data);
ChainOutputs harris(const ChainData& data);

}  // namespace vyre::testing
