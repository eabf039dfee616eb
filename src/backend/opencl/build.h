// Program: source text that is compiled, by the driver's compiler or taken from the binary store.

#pragma once

#include <atomic>
#include <memory>
#include <optional>
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

  // Whether the binary is to be saved as soon as a kernel of the program has run to its end. It is
  // not where the store has it, does not keep any, or would not notice a change of what was
  // compiled.
  bool needs_saving() const { return !saved_; }
  void save();

 private:
  Program(std::shared_ptr<Context> context, const SourceText& source);

  bool load();
  Expected<void> compile(const SourceText& source);

  std::shared_ptr<Context> context_;
  std::string name_;
  std::optional<Hash> key_;
  Owned<cl_program> program_;
  std::atomic<bool> saved_ = false;
};

}  // namespace vyre::backend::opencl
