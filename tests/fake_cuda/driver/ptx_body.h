// The body of a function: declarations, labels and instructions between braces.

#pragma once

#include <functional>
#include <map>
#include <string>

#include "fake_cuda/driver/ptx_cursor.h"
#include "fake_cuda/driver/ptx_module.h"

namespace fake_cuda {

using GlobalNames = std::map<std::string, const Variable*, std::less<>>;

// Parses from the opening brace to the closing one. The function's parameters are known already.
Result<void> parse_body(Cursor& cursor, const GlobalNames& globals, Function& function);

}  // namespace fake_cuda
