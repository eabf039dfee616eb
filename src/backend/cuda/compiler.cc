#include "backend/cuda/compiler.h"

#include <algorithm>
#include <filesystem>

#include "backend/common/build_log.h"
#include "backend/cuda/library.h"
#include "base/error.h"
#include "base/text.h"

namespace vyre::backend::cuda {
namespace {

namespace fs = std::filesystem;

constexpr int kDoesNotCompile = 6;  // NVRTC_ERROR_COMPILATION, and hipRTC's
constexpr int kInvalidOption = 5;
constexpr int kInvalidName = 10;  // NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID

// Each row is one version, with the names by which it may be found.
std::vector<std::vector<std::string>> compiler_names(Api api, const std::string& library) {
  if (!library.empty()) return {{library}};
  if (api == Api::cuda) return {{"libnvrtc.so.13"}, {"libnvrtc.so.12"}};
  // Older versions of HIP have hipRTC within the driver.
  return {{"libhiprtc.so.6", "libhiprtc.so.5", "libhiprtc.so", "libamdhip64.so.6",
           "libamdhip64.so.5", "libamdhip64.so"}};
}

Expected<CompilerFunctions> functions_of(Api api, const Library& library) {
  const bool is_cuda = api == Api::cuda;
  const std::string remedy =
      is_cuda ? "install the NVRTC of CUDA 12 or 13" : "install the hipRTC of ROCm 5.2 or newer";
  CompilerFunctions out;
#define VYRE_COMPILER_FUNCTION(result, member, nvrtc, hiprtc, parameters) \
  VYRE_TRY_VOID(resolve(library, is_cuda ? nvrtc : hiprtc, out.member, remedy));
#include "backend/cuda/compiler_functions.def"
#undef VYRE_COMPILER_FUNCTION
  return out;
}

// A program of the compiler, destroyed at the end.
class ProgramOwner {
 public:
  explicit ProgramOwner(const CompilerFunctions& call) : call_(call) {}
  ProgramOwner(const ProgramOwner&) = delete;
  ProgramOwner& operator=(const ProgramOwner&) = delete;
  ~ProgramOwner() {
    if (program_ != nullptr) call_.destroy(&program_);
  }
  CompilerProgram* place() { return &program_; }
  CompilerProgram get() const { return program_; }

 private:
  const CompilerFunctions& call_;
  CompilerProgram program_ = nullptr;
};

// Queries the size first, then the bytes. Empty: there is nothing, or the query failed.
template <class Size, class Bytes>
std::string bytes_of(CompilerProgram program, Size size_of, Bytes read) {
  std::size_t size = 0;
  if (size_of == nullptr || size_of(program, &size) != 0 || size == 0) return {};
  std::string out(size, '\0');
  return read(program, out.data()) == 0 ? out : std::string();
}

// Texts end with a zero that counts as one of their bytes.
std::string without_end(std::string text) {
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

}  // namespace

Expected<std::vector<std::shared_ptr<const Compiler>>> Compiler::load(Api api,
                                                                      const std::string& library) {
  std::vector<std::shared_ptr<const Compiler>> out;
  std::string why;
  for (const std::vector<std::string>& names : compiler_names(api, library)) {
    const auto opened = Library::open(names);
    if (!opened) {
      if (why.empty()) why = opened.error().message;
      continue;
    }
    VYRE_TRY(const CompilerFunctions call, functions_of(api, *opened));
    VYRE_TRY(out.emplace_back(), make(api, call));
  }
  if (!out.empty()) return out;
  return backend_error(
      "{} cannot be opened: {}; install {}, or put its folder into LD_LIBRARY_PATH",
      api == Api::cuda ? "CUDA's run-time compiler" : "HIP's run-time compiler", why,
      api == Api::cuda ? "libnvrtc.so.13 or libnvrtc.so.12" : "libhiprtc.so");
}

Expected<std::shared_ptr<const Compiler>> Compiler::make(Api api, const CompilerFunctions& call) {
  std::shared_ptr<Compiler> out(new Compiler(api, call));
  VYRE_TRY_VOID(out->describe());
  return out;
}

Expected<void> Compiler::describe() {
  int code = call_.version(&major_, &minor_);
  int count = 0;
  if (code == 0 && call_.architecture_count != nullptr) code = call_.architecture_count(&count);
  architectures_.resize(static_cast<std::size_t>(std::max(count, 0)));
  if (code == 0 && count > 0) code = call_.architectures(architectures_.data());
  if (code != 0) {
    return backend_error("the run-time compiler does not start: {}; install it again",
                         escaped(call_.error_text(code)));
  }
  std::ranges::sort(architectures_);
  std::error_code error;
  const fs::path file = Library::file_of(reinterpret_cast<const void*>(call_.version));
  const auto bytes = fs::file_size(file, error);
  build_ = fmt::format("{} {} {}", name(), file.filename().string(), error ? 0 : bytes);
  const fs::path folder = file.parent_path().parent_path() / "include";
  if (fs::exists(folder / "cuda_fp16.h", error)) include_folder_ = folder.string();
  return {};
}

std::string Compiler::name() const {
  return fmt::format("{} {}.{}", api_ == Api::cuda ? "NVRTC" : "hipRTC", major_, minor_);
}

std::vector<std::string> Compiler::options_of(const CompileRequest& request) const {
  std::vector<std::string> out = request.options;
  const std::string_view option = api_ == Api::cuda ? "--gpu-architecture=" : "--offload-arch=";
  if (!request.architecture.empty()) out.push_back(std::string(option) + request.architecture);
  if (!include_folder_.empty()) out.push_back("-I" + include_folder_);
  return out;
}

Expected<Image> Compiler::compile(const CompileRequest& request) const {
  ProgramOwner program(call_);
  const std::string file = request.name + (api_ == Api::cuda ? ".cu" : ".hip");
  int code = call_.create(program.place(), request.text.c_str(), file.c_str(), 0, nullptr, nullptr);
  if (code == 0) code = add_names(program.get(), request);
  if (code != 0) return failure(code, program.get(), request);
  const std::vector<std::string> options = options_of(request);
  std::vector<const char*> pointers;
  for (const std::string& option : options) pointers.push_back(option.c_str());
  code = call_.compile(program.get(), static_cast<int>(pointers.size()), pointers.data());
  if (code != 0) return failure(code, program.get(), request);
  return take_image(program.get(), request);
}

// The name of a variable is asked for by its address.
int Compiler::add_names(CompilerProgram program, const CompileRequest& request) const {
  int code = call_.add_name(program, request.entry.c_str());
  for (const std::string& constant : request.constants) {
    if (code == 0) code = call_.add_name(program, ("&" + constant).c_str());
  }
  return code;
}

int Compiler::take_names(CompilerProgram program, const CompileRequest& request,
                         Image& image) const {
  const char* name = nullptr;
  int code = call_.lowered_name(program, request.entry.c_str(), &name);
  if (code == 0) image.entry = name;
  for (const std::string& constant : request.constants) {
    const std::string address = "&" + constant;
    if (code == 0) code = call_.lowered_name(program, address.c_str(), &name);
    if (code == 0) image.constants.emplace_back(name);
  }
  return code;
}

Expected<Image> Compiler::take_image(CompilerProgram program, const CompileRequest& request) const {
  Image out{.form = request.form};
  if (const int code = take_names(program, request, out); code != 0) {
    return failure(code, program, request);
  }
  const std::string ptx = without_end(bytes_of(program, call_.ptx_size, call_.ptx));
  if (!ptx.empty()) out.parameters = ptx_parameters(ptx, out.entry);
  out.bytes = request.form == Form::ptx ? ptx : bytes_of(program, call_.code_size, call_.code);
  if (!out.bytes.empty()) return out;
  return backend_error("{}: {} gives no code for {}; install another version of it",
                       quote(request.name), name(), quote_if_odd(request.architecture));
}

std::unexpected<Error> Compiler::failure(int code, CompilerProgram program,
                                         const CompileRequest& request) const {
  const std::string log =
      program == nullptr ? "" : without_end(bytes_of(program, call_.log_size, call_.log));
  if (code == kInvalidName) {
    return rejected("{} has no kernel {}; check the name, and the arguments of a template",
                    quote(request.name), quote(request.entry));
  }
  if (code != kDoesNotCompile && code != kInvalidOption) {
    return backend_error("compiling {} with {}: {}", quote(request.name), name(),
                         escaped(call_.error_text(code)));
  }
  return rejected("{} does not compile: {}", quote(request.name), shortened_log(log));
}

}  // namespace vyre::backend::cuda
