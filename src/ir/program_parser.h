// Reads `program NAME { ... }` and `sequence NAME { ... }`.

#pragma once

#include <vector>

#include "ir/token_stream.h"
#include "vyre/program.h"

namespace vyre::ir {

Expected<Program> read_program(TokenStream& tokens);

// The steps refer to `programs` by name; the result owns them.
Expected<SequenceDef> read_sequence(TokenStream& tokens, std::vector<Program> programs);

}  // namespace vyre::ir
