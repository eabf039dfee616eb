// load_module: a PTX text into a context.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fake_cuda/driver/state.h"

namespace fake_cuda {

struct LoadError {
  int error = kInvalidPtx;
  std::string text;  // for the log
};

// Every function is decoded here, so that an unknown opcode is found before anything runs.
std::expected<std::unique_ptr<LoadedModule>, LoadError> load_module(Context& context,
                                                                    std::string_view text);

void unload_module(LoadedModule& module);

}  // namespace fake_cuda
