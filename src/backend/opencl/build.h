// From source text to a compiled program: out of the binary store, or through the driver's
// compiler.

#pragma once

#include <memory>
#include <string>

#include "backend/opencl/context.h"

namespace vyre::backend::opencl {

struct SourceText {
  std::string name;  // for messages
  std::string text;
  std::string options;  // for the compiler
  Extent workgroup{1, 1, 1};
};

// Compiled, and kept in the store once it has run: some drivers (PoCL) compile the better part at
// the first launch, so a binary taken before it would be half of one.
class Program {
 public:
  // rejected: the compiler refused it. backend: it took too long, or the driver failed.
  static Expected<std::shared_ptr<Program>> build(const std::shared_ptr<Context>& context,
                                                  const SourceText& source);

  // rejected, with the names that there are, if there is no such kernel.
  Expected<Owned<cl_kernel>> kernel(const std::string& entry) const;

  // To be called when a kernel of it has run to its end. Saves the binary the first time.
  void has_run();
  bool has_run_once() const { return saved_; }

 private:
  Program(std::shared_ptr<Context> context, const SourceText& source);

  bool load();
  Expected<void> compile(const SourceText& source);

  std::shared_ptr<Context> context_;
  std::string name_;
  Hash key_;
  Owned<cl_program> program_;
  std::atomic<bool> saved_ = false;
};

}  // namespace vyre::backend::opencl
