#include "backend/cuda/cuda_kernel.h"

#include <algorithm>

#include "backend/cuda/buffer.h"
#include "backend/cuda/build.h"
#include "backend/cuda/timer.h"
#include "base/small_array.h"
#include "base/text.h"
#include "emit/cuda/cuda_cpp.h"

namespace vyre::backend::cuda {
namespace {

// Local arrays of a source follow each other in its dynamic shared memory at multiples of this: the
// largest type of either language has as much.
constexpr std::size_t kSharedAlignment = 16;

std::size_t shared_bytes_of(const KernelPlan& plan) {
  std::size_t bytes = 0;
  for (const Parameter& parameter : plan.parameters) {
    if (parameter.kind != Parameter::Kind::local) continue;
    bytes = (bytes + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment + parameter.bytes;
  }
  return bytes;
}

class CudaKernel final : public Kernel {
 public:
  CudaKernel(std::shared_ptr<Context> context, std::shared_ptr<LoadedModule> module,
             KernelPlan plan)
      : context_(std::move(context)),
        module_(std::move(module)),
        plan_(std::move(plan)),
        shared_bytes_(shared_bytes_of(plan_)) {
    for (const Parameter& parameter : std::exchange(plan_.parameters, {})) {
      if (parameter.kind == Parameter::Kind::constant) constants_.push_back(parameter);
      const bool is_passed =
          parameter.kind == Parameter::Kind::buffer || parameter.kind == Parameter::Kind::symbol;
      if (is_passed) plan_.parameters.push_back(parameter);
    }
  }

  // Checks before the first launch that the parameters agree and that the workgroup fits. The
  // context is in use.
  Expected<void> check() {
    VYRE_TRY_VOID(check_parameters());
    VYRE_TRY_VOID(check_workgroup());
    VYRE_TRY(facts_.registers, attribute(FunctionAttribute::registers));
    VYRE_TRY(facts_.private_bytes, attribute(FunctionAttribute::local_bytes));
    return check_shared_memory();
  }

  std::optional<KernelFacts> facts() const override { return facts_; }

  Expected<void> launch(const Launch& launch) override {
    if (launch.buffers.size() != plan_.buffers || launch.symbols.size() != plan_.symbols) {
      return bad_inputs("launch of {}: {} buffers and {} symbols given, {} and {} wanted",
                        quote(plan_.source.name), launch.buffers.size(), launch.symbols.size(),
                        plan_.buffers, plan_.symbols);
    }
    VYRE_TRY_VOID(check_grid(launch.groups));
    // One more than there are: the driver reads as many as the kernel has, and a kernel without
    // parameters must not get an empty list.
    SmallArray<std::uint64_t, 16> values(plan_.parameters.size() + 1);
    SmallArray<void*, 16> pointers(plan_.parameters.size() + 1);
    for (std::size_t k = 0; k < plan_.parameters.size(); ++k) {
      VYRE_TRY(values[k], value_of(plan_.parameters[k], launch));
      pointers[k] = &values[k];
    }
    VYRE_TRY(const auto use, context_->use());
    VYRE_TRY_VOID(copy_constants(launch));
    return CudaTimer::enclose(launch.timer, [&] { return enqueue(launch, &pointers[0]); });
  }

 private:
  Expected<void> check_parameters() const {
    if (!module_->parameters()) return {};
    const std::vector<std::uint32_t>& sizes = *module_->parameters();
    if (sizes.size() != plan_.parameters.size()) {
      return rejected("{}: the kernel has {} parameters, {} are passed; make them agree",
                      quote(plan_.source.name), sizes.size(), plan_.parameters.size());
    }
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const Parameter& parameter = plan_.parameters[k];
      const std::size_t bytes =
          parameter.kind == Parameter::Kind::buffer ? sizeof(DriverPointer) : parameter.bytes;
      if (bytes == sizes[k]) continue;
      return rejected(
          "{}: {} with {} bytes does not fit parameter {} of the kernel, which has {}; make them "
          "agree",
          quote(plan_.source.name), quote(parameter.name), bytes, k, sizes[k]);
    }
    return {};
  }

  Expected<std::uint32_t> attribute(FunctionAttribute which) const {
    int value = 0;
    VYRE_TRY_VOID(context_->check(
        context_->call().function_attribute(&value, static_cast<int>(which), module_->function()),
        fmt::format("asking for facts of {}", quote(plan_.source.name))));
    return static_cast<std::uint32_t>(std::max(value, 0));
  }

  Expected<void> check_workgroup() const {
    VYRE_TRY(const std::uint32_t most, attribute(FunctionAttribute::block_threads));
    const auto& [x, y, z] = plan_.source.workgroup;
    if (std::uint64_t{x} * y * z <= most) return {};
    return rejected(
        "{}: a workgroup of {} x {} x {} is more than the {} invocations that the device takes for "
        "this kernel; use a smaller one",
        quote(plan_.source.name), x, y, z, most);
  }

  // More than what every device has must be asked for.
  Expected<void> check_shared_memory() {
    VYRE_TRY(const std::uint32_t fixed, attribute(FunctionAttribute::shared_bytes));
    facts_.local_bytes = fixed + static_cast<std::uint32_t>(shared_bytes_);
    const DeviceFacts& facts = context_->facts();
    if (fixed + shared_bytes_ > facts.shared_bytes_limit) {
      return rejected("{}: {} bytes of shared memory are more than the {} of the device; use less",
                      quote(plan_.source.name), fixed + shared_bytes_, facts.shared_bytes_limit);
    }
    if (fixed + shared_bytes_ <= facts.shared_bytes) return {};
    const int code = context_->call().function_set_attribute(
        module_->function(), static_cast<int>(FunctionAttribute::dynamic_shared_bytes),
        static_cast<int>(shared_bytes_));
    return context_->check(code, fmt::format("{}: asking for {} bytes of shared memory",
                                             quote(plan_.source.name), shared_bytes_));
  }

  Expected<void> check_grid(const Extent& groups) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::uint32_t most = context_->facts().grid[axis];
      if (groups[axis] <= most) continue;
      return rejected(
          "launch of {}: {} workgroups along {} are more than the {} that the device takes; use a "
          "larger workgroup or another axis",
          quote(plan_.source.name), groups[axis], "xyz"[axis], most);
    }
    return {};
  }

  Expected<std::uint64_t> value_of(const Parameter& parameter, const Launch& launch) const {
    if (parameter.kind == Parameter::Kind::symbol) return launch.symbols[parameter.index];
    VYRE_TRY(const CudaBuffer* buffer, buffer_of(parameter, launch));
    return buffer->pointer();
  }

  Expected<const CudaBuffer*> buffer_of(const Parameter& parameter, const Launch& launch) const {
    const auto* buffer = dynamic_cast<const CudaBuffer*>(launch.buffers[parameter.index]);
    if (buffer != nullptr && buffer->context()->handle() == context_->handle()) return buffer;
    return bad_inputs(
        "launch of {}: buffer {} is missing or of another device; pass the bound buffers in "
        "declaration order",
        quote(plan_.source.name), quote(parameter.name));
  }

  // Before the launch is timed: an application does so once, not at every launch.
  Expected<void> copy_constants(const Launch& launch) const {
    for (std::size_t k = 0; k < constants_.size(); ++k) {
      const LoadedModule::Constant& to = module_->constants()[k];
      VYRE_TRY(const CudaBuffer* from, buffer_of(constants_[k], launch));
      if (from->size() > to.bytes) {
        return rejected(
            "launch of {}: {} bytes do not fit the constant {}, which has {}; make "
            "them agree",
            quote(plan_.source.name), from->size(), quote(constants_[k].name), to.bytes);
      }
      VYRE_TRY_VOID(context_->check(context_->call().copy_within(to.pointer, from->pointer(),
                                                                 from->size(), context_->stream()),
                                    fmt::format("copying to {}", quote(constants_[k].name))));
    }
    return {};
  }

  Expected<void> enqueue(const Launch& launch, void** parameters) const {
    const auto& [x, y, z] = plan_.source.workgroup;
    const Extent& groups = launch.groups;
    const int code = context_->call().launch(module_->function(), groups[0], groups[1], groups[2],
                                             x, y, z, static_cast<unsigned>(shared_bytes_),
                                             context_->stream(), parameters, nullptr);
    return context_->check(code, fmt::format("launch of {}", quote(plan_.source.name)));
  }

  std::shared_ptr<Context> context_;
  std::shared_ptr<LoadedModule> module_;
  KernelPlan plan_;
  KernelFacts facts_;
  std::size_t shared_bytes_;            // dynamic
  std::vector<Parameter> constants_{};  // no parameters of the function
};

// A multiplication and an addition are not fused: the language says what each rounds to.
constexpr KernelLanguage kCudaCpp{emit::cuda_cpp, "--fmad=false", ir::Language::cuda};
constexpr KernelLanguage kHipCpp{emit::cuda_cpp, "-ffp-contract=off", ir::Language::hip};

}  // namespace

Expected<std::shared_ptr<Kernel>> compile_kernel(const std::shared_ptr<Context>& context,
                                                 const ir::Sequence& sequence,
                                                 std::uint32_t program,
                                                 const Specialisation& specialisation) {
  const bool is_cuda = context->driver().api == Api::cuda;
  VYRE_TRY(KernelPlan plan, plan_kernel(sequence.def().programs[program], specialisation,
                                        is_cuda ? kCudaCpp : kHipCpp));
  VYRE_TRY(const auto use, context->use());
  VYRE_TRY(auto module, LoadedModule::build(context, plan));
  auto out = std::make_shared<CudaKernel>(context, std::move(module), std::move(plan));
  VYRE_TRY_VOID(out->check());
  return out;
}

}  // namespace vyre::backend::cuda
