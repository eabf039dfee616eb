// parse_module: PTX text to a Module.

#pragma once

#include <memory>
#include <string_view>

#include "fake_cuda/driver/ptx_module.h"
#include "fake_cuda/driver/result.h"

namespace fake_cuda {

// Any bytes may be given. The error is one line with the number of the line in the text.
Result<std::unique_ptr<Module>> parse_module(std::string_view text);

}  // namespace fake_cuda
