// The programs of src/emit/golden, from which every emitter makes a golden text.

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "emit/c_like/translation_unit.h"
#include "vyre/program.h"

namespace vyre::testing {

// The entry function of an emitter.
using Emit = Expected<std::string> (*)(std::span<const emit::KernelSource> kernels);

// The programs' names, sorted.
std::vector<std::string> golden_programs(const std::filesystem::path& source_dir);
Expected<ir::SequenceDef> golden_program(const std::filesystem::path& source_dir,
                                         const std::string& name);

// A kernel for each program of each sequence, with tunables at their defaults and the program's
// workgroup, else 64. Entries are `prefix` with a number behind it; without a prefix, the programs'
// names.
Expected<std::string> emitted(Emit emit, std::span<const ir::SequenceDef> sequences,
                              const std::string& prefix = {});

// All of them, and deep expressions of every pattern below, in one text: a compiler's start is then
// paid once.
Expected<std::string> all_emitted(Emit emit, const std::filesystem::path& source_dir);

// The content of a golden file. With VYRE_UPDATE_GOLDEN=1 in the environment it is replaced by
// `text` first: read the difference.
Expected<std::string> golden_text(const std::filesystem::path& file, const std::string& text);

// A valid program with an expression in which `pattern` is nested as deeply as the language allows.
// $ stands for the inner expression, an i32; `s` is an i32, `b` a bool, `x` a buffer of i32.
ir::Program deepest_program(std::string_view pattern);
// Patterns for it, one for each way in which an expression can hold another.
std::span<const std::string_view> deep_patterns();

}  // namespace vyre::testing
