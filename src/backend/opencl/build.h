// Program: source text that is compiled, by the driver's compiler or taken from the binary store.

#pragma once

#include <memory>
#include <string>

#include "backend/common/kernel_plan.h"
#include "backend/opencl/context.h"

namespace vyre::backend::opencl {

// The binary is saved after the first run: some drivers (PoCL) compile most of it at the first
// launch, and a binary that was saved before would not contain that.
class Program {
 public:
  // rejected: the compiler refused the source. backend: it took too long, or the driver failed.
  static Expected<std::shared_ptr<Program>> build(const std::shared_ptr<Context>& context,
                                                  const SourceText& source);

  // If there is no such kernel: rejected, and the message lists the kernels that there are.
  Expected<Owned<cl_kernel>> kernel(const std::string& entry) const;

  // Call this when a kernel of the program has run to its end. The first call saves the binary.
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
