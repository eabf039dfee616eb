#include "backend/opencl/opencl_kernel.h"

#include <optional>

#include "backend/opencl/buffer.h"
#include "backend/opencl/build.h"
#include "backend/opencl/timer.h"
#include "base/text.h"
#include "emit/opencl/opencl_c.h"

namespace vyre::backend::opencl {
namespace {

class OpenclKernel final : public Kernel {
 public:
  OpenclKernel(std::shared_ptr<Context> context, std::shared_ptr<Program> program,
               Owned<cl_kernel> kernel, KernelPlan plan)
      : context_(std::move(context)),
        program_(std::move(program)),
        kernel_(std::move(kernel)),
        plan_(std::move(plan)),
        passed_(plan_.parameters.size()) {}

  // Checks before the first launch that the parameters agree and that the workgroup fits.
  Expected<void> check() {
    cl_uint count = 0;
    api().clGetKernelInfo(kernel_.get(), CL_KERNEL_NUM_ARGS, sizeof(count), &count, nullptr);
    if (count != plan_.parameters.size()) {
      return rejected("{}: the kernel has {} parameters, {} are passed; make them agree",
                      quote(plan_.source.name), count, plan_.parameters.size());
    }
    const std::size_t most = most_invocations();
    const auto& [x, y, z] = plan_.source.workgroup;
    if (std::uint64_t{x} * y * z > most) {
      return rejected(
          "{}: a workgroup of {} x {} x {} is more than the {} invocations that the device takes "
          "for this kernel; use a smaller one",
          quote(plan_.source.name), x, y, z, most);
    }
    return {};
  }

  Expected<void> launch(const Launch& launch) override {
    const std::lock_guard lock(mutex_);
    if (launch.buffers.size() != plan_.buffers || launch.symbols.size() != plan_.symbols) {
      return bad_inputs("launch of {}: {} buffers and {} symbols given, {} and {} wanted",
                        quote(plan_.source.name), launch.buffers.size(), launch.symbols.size(),
                        plan_.buffers, plan_.symbols);
    }
    for (std::size_t k = 0; k < plan_.parameters.size(); ++k) {
      VYRE_TRY_VOID(pass(static_cast<cl_uint>(k), launch));
    }
    VYRE_TRY_VOID(enqueue(launch));
    if (!program_->needs_saving()) return {};
    VYRE_TRY_VOID(context_->finish());
    program_->save();
    return {};
  }

 private:
  // Mesa 22.3 gives the width of a subgroup here, whatever the kernel; its queues take as many
  // invocations as the device does.
  std::size_t most_invocations() const {
    cl_platform_id platform = nullptr;
    std::size_t most = 0;
    const bool is_mesa_22 =
        device_text(context_->device(), CL_DRIVER_VERSION).starts_with("22.") &&
        api().clGetDeviceInfo(context_->device(), CL_DEVICE_PLATFORM, sizeof(platform), &platform,
                              nullptr) == CL_SUCCESS &&
        platform_text(platform, CL_PLATFORM_NAME) == "rusticl";
    if (is_mesa_22) {
      api().clGetDeviceInfo(context_->device(), CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(most), &most,
                            nullptr);
    } else {
      api().clGetKernelWorkGroupInfo(kernel_.get(), context_->device(), CL_KERNEL_WORK_GROUP_SIZE,
                                     sizeof(most), &most, nullptr);
    }
    return most;
  }

  Expected<void> pass(cl_uint index, const Launch& launch) {
    const Parameter& parameter = plan_.parameters[index];
    switch (parameter.kind) {
      case Parameter::Kind::buffer:
        return pass_buffer(index, launch.buffers[parameter.index]);
      case Parameter::Kind::symbol:
        return pass_value(index, launch.symbols[parameter.index]);
      case Parameter::Kind::local:
        return set(index, parameter.bytes, nullptr, 0);
      case Parameter::Kind::constant:  // none in OpenCL C, see rule V118
        return {};
    }
    return {};
  }

  Expected<void> pass_buffer(cl_uint index, Buffer* given) {
    const auto* buffer = dynamic_cast<const OpenclBuffer*>(given);
    if (buffer == nullptr || buffer->context()->context() != context_->context()) {
      return bad_inputs(
          "launch of {}: buffer {} is missing or of another device; pass the bound "
          "buffers in declaration order",
          quote(plan_.source.name), quote(plan_.parameters[index].name));
    }
    cl_mem memory = buffer->memory();
    return set(index, sizeof(memory), static_cast<const void*>(&memory), buffer->serial());
  }

  Expected<void> pass_value(cl_uint index, std::uint64_t bits) {
    return set(index, plan_.parameters[index].bytes, &bits, bits);
  }

  // `token` tells one value of this parameter from another: what is passed already is not passed
  // again.
  Expected<void> set(cl_uint index, std::size_t bytes, const void* value, std::uint64_t token) {
    if (passed_[index] == token) return {};
    const cl_int code = api().clSetKernelArg(kernel_.get(), index, bytes, value);
    if (code == CL_SUCCESS) {
      passed_[index] = token;
      return {};
    }
    passed_[index].reset();
    if (code != CL_INVALID_ARG_SIZE && code != CL_INVALID_ARG_VALUE) {
      return cl_error(code, "passing " + quote(plan_.parameters[index].name));
    }
    return rejected("{}: {} with {} bytes does not fit parameter {} of the kernel; make them agree",
                    quote(plan_.source.name), quote(plan_.parameters[index].name), bytes, index);
  }

  Expected<void> enqueue(const Launch& launch) {
    const Extent& workgroup = plan_.source.workgroup;
    std::array<std::size_t, 3> local{};
    std::array<std::size_t, 3> global{};
    cl_uint dimensions = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      local[axis] = workgroup[axis];
      global[axis] = std::size_t{workgroup[axis]} * launch.groups[axis];
      if (global[axis] > 1) dimensions = static_cast<cl_uint>(axis + 1);
    }
    const cl_int code = api().clEnqueueNDRangeKernel(
        context_->queue(), kernel_.get(), dimensions, nullptr, global.data(), local.data(), 0,
        nullptr, OpenclTimer::place_for_event(launch.timer));
    if (code != CL_SUCCESS) return cl_error(code, "launch of " + quote(plan_.source.name));
    return {};
  }

  std::shared_ptr<Context> context_;
  std::shared_ptr<Program> program_;
  Owned<cl_kernel> kernel_;
  KernelPlan plan_;
  std::mutex mutex_;
  std::vector<std::optional<std::uint64_t>> passed_;  // per parameter
};

constexpr KernelLanguage kOpenclC{emit::opencl_c, "-cl-std=CL1.2 -w"};

}  // namespace

Expected<std::shared_ptr<Kernel>> compile_kernel(const std::shared_ptr<Context>& context,
                                                 const ir::Sequence& sequence,
                                                 std::uint32_t program,
                                                 const Specialisation& specialisation) {
  VYRE_TRY(KernelPlan plan,
           plan_kernel(sequence.def().programs[program], specialisation, kOpenclC));
  VYRE_TRY(auto built, Program::build(context, plan.source));
  VYRE_TRY(Owned<cl_kernel> kernel, built->kernel(plan.entry));
  auto out =
      std::make_shared<OpenclKernel>(context, std::move(built), std::move(kernel), std::move(plan));
  VYRE_TRY_VOID(out->check());
  return out;
}

}  // namespace vyre::backend::opencl
