#include "testing/nvrtc_compile.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/error.h"
#include "testing/test_tools.h"

namespace vyre::testing {
namespace {

using Handle = struct CompilerProgram*;

// NVRTC and hipRTC have the same functions under names that differ in their beginning.
struct Compiler {
  int (*create)(Handle*, const char*, const char*, int, const char* const*, const char* const*);
  int (*destroy)(Handle*);
  int (*add_name)(Handle, const char*);
  int (*compile)(Handle, int, const char* const*);
  int (*log_size)(Handle, std::size_t*);
  int (*log)(Handle, char*);
  int (*code_size)(Handle, std::size_t*);
  int (*code)(Handle, char*);
  int (*ptx_size)(Handle, std::size_t*);  // null in HIP
  int (*ptx)(Handle, char*);
  int (*lowered_name)(Handle, const char*, const char**);
};

template <class Function>
bool resolve(void* library, const std::string& name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name.c_str()));
  return function != nullptr;
}

std::optional<Compiler> open_compiler(const std::optional<std::filesystem::path>& file,
                                      const std::string& prefix, const std::string& code) {
  void* library = file ? dlopen(file->c_str(), RTLD_LAZY | RTLD_LOCAL) : nullptr;
  if (library == nullptr) return std::nullopt;
  Compiler c{};
  const bool complete = resolve(library, prefix + "CreateProgram", c.create) &&
                        resolve(library, prefix + "DestroyProgram", c.destroy) &&
                        resolve(library, prefix + "AddNameExpression", c.add_name) &&
                        resolve(library, prefix + "CompileProgram", c.compile) &&
                        resolve(library, prefix + "GetProgramLogSize", c.log_size) &&
                        resolve(library, prefix + "GetProgramLog", c.log) &&
                        resolve(library, prefix + "Get" + code + "Size", c.code_size) &&
                        resolve(library, prefix + "Get" + code, c.code) &&
                        resolve(library, prefix + "GetLoweredName", c.lowered_name);
  resolve(library, prefix + "GetPTXSize", c.ptx_size);
  resolve(library, prefix + "GetPTX", c.ptx);
  return complete ? std::optional(c) : std::nullopt;
}

const std::optional<Compiler>& nvrtc() {
  static const std::optional<Compiler> opened = open_compiler(nvrtc_library(), "nvrtc", "CUBIN");
  return opened;
}

const std::optional<Compiler>& hiprtc() {
  static const std::optional<Compiler> opened = open_compiler(hiprtc_library(), "hiprtc", "Code");
  return opened;
}

std::string text_of(Handle program, int (*size_of)(Handle, std::size_t*),
                    int (*get)(Handle, char*)) {
  std::size_t size = 0;
  if (size_of(program, &size) != 0 || size == 0) return {};
  std::string out(size, '\0');
  return get(program, out.data()) == 0 ? out : std::string();
}

Expected<CompiledText> run(const Compiler& c, Handle program, bool to_ptx,
                           std::span<const std::string> options,
                           std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (c.add_name(program, name.c_str()) != 0) return rejected("{}: not a name expression", name);
  }
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  const int status = c.compile(program, static_cast<int>(words.size()), words.data());
  CompiledText out;
  out.log = text_of(program, c.log_size, c.log);
  if (status != 0) return rejected("compiler's status {}: {}", status, out.log);
  out.code = to_ptx ? text_of(program, c.ptx_size, c.ptx) : text_of(program, c.code_size, c.code);
  for (const std::string& name : names) {
    const char* lowered = nullptr;
    if (c.lowered_name(program, name.c_str(), &lowered) != 0) {
      return rejected("{}: no kernel of that name", name);
    }
    out.names.emplace_back(lowered);
  }
  return out;
}

Expected<CompiledText> compile(const Compiler& c, const std::string& text, bool to_ptx,
                               std::span<const std::string> options,
                               std::span<const std::string> names) {
  Handle program = nullptr;
  if (c.create(&program, text.c_str(), "kernel.cu", 0, nullptr, nullptr) != 0) {
    return backend_error("the compiler makes no program");
  }
  auto out = run(c, program, to_ptx, options, names);
  c.destroy(&program);
  return out;
}

// The sum of the numbers that stand before `what`.
std::uint64_t sum_before(std::string_view log, std::string_view what) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; (at = log.find(what, at)) != std::string_view::npos; ++at) {
    std::size_t first = at;
    while (first > 0 && log[first - 1] >= '0' && log[first - 1] <= '9') --first;
    std::uint64_t number = 0;
    std::from_chars(log.data() + first, log.data() + at, number);
    sum += number;
  }
  return sum;
}

}  // namespace

bool has_nvrtc() { return nvrtc().has_value(); }
bool has_hiprtc() { return hiprtc().has_value(); }

Expected<CompiledText> nvrtc_compile(const std::string& text, std::string_view architecture,
                                     std::span<const std::string> options,
                                     std::span<const std::string> name_expressions) {
  std::vector<std::string> all{fmt::format("--gpu-architecture={}", architecture)};
  all.insert(all.end(), options.begin(), options.end());
  return compile(*nvrtc(), text, architecture.starts_with("compute"), all, name_expressions);
}

Expected<CompiledText> hiprtc_compile(const std::string& text, std::string_view architecture,
                                      std::span<const std::string> options,
                                      std::span<const std::string> name_expressions) {
  std::vector<std::string> all{fmt::format("--offload-arch={}", architecture)};
  all.insert(all.end(), options.begin(), options.end());
  return compile(*hiprtc(), text, false, all, name_expressions);
}

std::span<const std::string> nvrtc_program_options() {
  static const std::string kOptions[] = {"--fmad=false", "--std=c++17", "--ptxas-options=-v"};
  return kOptions;
}

std::span<const std::string> hiprtc_program_options() {
  static const std::string kOptions[] = {"-ffp-contract=off", "-std=c++17"};
  return kOptions;
}

std::uint64_t spilled_bytes(std::string_view log) {
  return sum_before(log, " bytes spill stores") + sum_before(log, " bytes spill loads");
}

std::uint64_t reported_functions(std::string_view log) {
  std::uint64_t count = 0;
  for (std::size_t at = 0; (at = log.find(" bytes spill loads", at)) != std::string_view::npos;
       ++at) {
    ++count;
  }
  return count;
}

}  // namespace vyre::testing
