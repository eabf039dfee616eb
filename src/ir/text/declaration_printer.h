// Declarations in the text form, as programs and sequences share them.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ir/text/expr_printer.h"

namespace vyre::ir {

// One line for each symbol, two spaces in.
void print_symbols(std::span<const Symbol> symbols, std::string& out);

// One line for each buffer. `private_word` names the access `private_`: "private" in a program,
// "scratch" in a sequence.
void print_buffers(Tables tables, std::string_view private_word, std::string& out);

}  // namespace vyre::ir
