// KernelPlan: the text that a compiler gets for a program, and the parameters that a launch passes.
//
// A program that is source text is compiled as it stands, with its tunables as macros. Any other
// program is emitted in the backend's language.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emit/c_like/translation_unit.h"
#include "vyre/device.h"

namespace vyre::backend {

struct SourceText {
  std::string name;  // for messages
  std::string text;
  std::string options;  // for the compiler
  Extent workgroup{1, 1, 1};
};

struct Parameter {
  // In CUDA and HIP the last two are no parameters of the function: local arrays together are its
  // dynamic shared memory, and a constant is a buffer whose content is copied to the symbol `name`.
  enum class Kind : std::uint8_t { buffer, symbol, local, constant };
  Kind kind = Kind::buffer;
  std::uint32_t index = 0;  // among Launch::buffers or Launch::symbols
  std::size_t bytes = 0;    // symbols and local arrays
  std::string name{};       // for messages, except for a constant
};

struct KernelPlan {
  SourceText source;
  std::string entry;                  // a source in CUDA or HIP: maybe a name expression
  std::vector<Parameter> parameters;  // of the kernel function, in order
  std::size_t buffers = 0;            // a launch must pass so many buffers and symbols
  std::size_t symbols = 0;
};

// The language of a backend: the emitter's entry function, the compiler's options for its text, and
// the language of the sources that it runs as they are.
struct KernelLanguage {
  Expected<std::string> (*emit)(std::span<const emit::KernelSource> kernels);
  std::string_view options;
  ir::Language sources = ir::Language::opencl_c;
};

// rejected: the program is source text in another language than the backend's.
Expected<KernelPlan> plan_kernel(const ir::Program& program, const Specialisation& specialisation,
                                 const KernelLanguage& language);

}  // namespace vyre::backend
