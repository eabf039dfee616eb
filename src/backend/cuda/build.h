// LoadedModule: a kernel that is compiled, by the run-time compiler or taken from the binary store,
// and loaded into a context.

#pragma once

#include <memory>
#include <string>

#include "backend/common/kernel_plan.h"
#include "backend/cuda/context.h"

namespace vyre::backend::cuda {

class LoadedModule {
 public:
  // rejected: the compiler refused the source, or it has no such kernel. backend: it took too long,
  // or the driver failed. The context is in use.
  static Expected<std::shared_ptr<LoadedModule>> build(const std::shared_ptr<Context>& context,
                                                       const KernelPlan& plan);
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  ~LoadedModule();

  DriverModule module() const { return module_; }
  DriverFunction function() const { return function_; }
  struct Constant {
    DriverPointer pointer = 0;
    std::size_t bytes = 0;
  };
  // Of the plan, in its order.
  const std::vector<Constant>& constants() const { return constants_; }
  // The size of each parameter of the kernel; none: not known.
  const std::optional<std::vector<std::uint32_t>>& parameters() const { return parameters_; }

 private:
  explicit LoadedModule(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  // Whether the driver took it; false: it takes no images of that form.
  Expected<bool> load(const Image& image, const std::string& name);
  Expected<void> find_names(const Image& image);

  std::shared_ptr<Context> context_;
  DriverModule module_ = nullptr;
  DriverFunction function_ = nullptr;
  std::vector<Constant> constants_;
  std::optional<std::vector<std::uint32_t>> parameters_;
};

}  // namespace vyre::backend::cuda
