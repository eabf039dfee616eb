// Reads `sequence NAME { ... }`.

#pragma once

#include <vector>

#include "ir/text/token_stream.h"
#include "vyre/program.h"

namespace vyre::ir {

// The steps refer to `programs` by name; the result owns the programs.
Expected<SequenceDef> read_sequence(TokenStream& tokens, std::vector<Program> programs);

}  // namespace vyre::ir
