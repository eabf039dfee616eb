// Programs whose body is source text: languages, and the declarations that arguments name.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vyre/program.h"

namespace vyre::ir {

std::string_view name_of(Language language);  // "opencl_c", "cuda", "hip", "glsl"
std::optional<Language> find_language(std::string_view name);

// For messages: "CUDA C++", and the device that runs it, "a CUDA device".
std::string_view spoken_name(Language language);
std::string_view device_for(Language language);

// Whether kernels have templates, name expressions, dynamic shared memory and constant symbols.
bool is_cuda_like(Language language);

// The function that an entry names, without its namespace and template arguments.
std::string_view function_of(std::string_view entry);

// The declaration that a name of Source::arguments stands for.
struct NamedPlace {
  enum class Kind : std::uint8_t { nothing, buffer, symbol };
  Kind kind = Kind::nothing;
  std::uint32_t index = 0;
};
NamedPlace find_declared(const Program& program, std::string_view name);

// "f32", or "bytes8" for elements that only the source knows.
std::string element_name(const Buffer& buffer);

}  // namespace vyre::ir
