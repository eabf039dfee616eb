// One kernel function: its parameters, the declarations at its top, its body.

#pragma once

#include <string>

#include "emit/c_like/dialect.h"
#include "emit/c_like/prelude.h"
#include "emit/c_like/translation_unit.h"

namespace vyre::emit {

// Asks `prelude` for the functions that the kernel calls.
std::string kernel_text(const Dialect& dialect, const KernelSource& source, Prelude& prelude);

}  // namespace vyre::emit
