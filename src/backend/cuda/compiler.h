// The compiler that makes images of CUDA C++ or HIP at run time: NVRTC or hipRTC, opened by dlopen.
//
// Threads: a Compiler may be used by several at once; each compilation is a program of its own.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "backend/cuda/driver.h"
#include "backend/cuda/image.h"

namespace vyre::backend::cuda {

using CompilerProgram = struct CompilerProgramObject*;

struct CompilerFunctions {
#define VYRE_COMPILER_FUNCTION(result, member, nvrtc, hiprtc, parameters) \
  result(*member) parameters = nullptr;
#include "backend/cuda/compiler_functions.def"
#undef VYRE_COMPILER_FUNCTION
};

struct CompileRequest {
  std::string name;  // for messages
  std::string text;
  std::string entry;  // a name expression: "scale", "scale<float, 4>", "mine::scale"
  std::vector<std::string> constants{};  // names of `__constant__` arrays that are to be found
  std::vector<std::string> options{};
  std::string architecture{};  // "sm_80", "compute_80", "gfx90a"
  Form form = Form::binary;
};

class Compiler {
 public:
  // Opens the library, by its usual names if `library` is empty: all versions that there are, the
  // newest first. `backend`: there is none, or one lacks a function.
  static Expected<std::vector<std::shared_ptr<const Compiler>>> load(
      Api api, const std::string& library = "");
  // Of a table, for tests.
  static Expected<std::shared_ptr<const Compiler>> make(Api api, const CompilerFunctions& call);

  Api api() const { return api_; }
  int major() const { return major_; }
  int minor() const { return minor_; }
  std::string name() const;  // "NVRTC 13.0"
  // Everything that is known of its build: versions of the same name may compile differently.
  const std::string& build() const { return build_; }
  // Of CUDA: 75 for sm_75, ascending. Empty: it does not tell, as hipRTC.
  const std::vector<int>& architectures() const { return architectures_; }

  // rejected: the text does not compile, with the part of the log that matters. backend: the
  // compiler failed.
  Expected<Image> compile(const CompileRequest& request) const;

 private:
  Compiler(Api api, const CompilerFunctions& call) : api_(api), call_(call) {}
  Expected<void> describe();
  std::vector<std::string> options_of(const CompileRequest& request) const;
  int add_names(CompilerProgram program, const CompileRequest& request) const;
  int take_names(CompilerProgram program, const CompileRequest& request, Image& image) const;
  Expected<Image> take_image(CompilerProgram program, const CompileRequest& request) const;
  std::unexpected<Error> failure(int code, CompilerProgram program,
                                 const CompileRequest& request) const;

  Api api_;
  CompilerFunctions call_;
  int major_ = 0;
  int minor_ = 0;
  std::string build_;
  std::vector<int> architectures_;
  std::string include_folder_;  // beside the library, where a toolkit has its headers; may be empty
};

}  // namespace vyre::backend::cuda
