// Equality of programs and sequences: the same meaning node by node, names included.
//
// The comparison walks both programs together, with pairs of nodes on an explicit stack, so it
// never recurses. Programs whose nodes are no tree are equal only if all their vectors are: such
// programs mean nothing, and following shared nodes could take exponential time.

#pragma once

#include "vyre/program.h"

namespace vyre::ir {

bool equal(const Program& a, const Program& b);
bool equal(const SequenceDef& a, const SequenceDef& b);

}  // namespace vyre::ir
