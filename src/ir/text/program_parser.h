// Reads `program NAME { ... }`.

#pragma once

#include "ir/text/token_stream.h"
#include "vyre/program.h"

namespace vyre::ir {

Expected<Program> read_program(TokenStream& tokens);

}  // namespace vyre::ir
