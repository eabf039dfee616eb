#include "vyre/opencl.h"

#include <mutex>

#include "backend/opencl/buffer.h"
#include "backend/opencl/device_list.h"
#include "backend/opencl/opencl_kernel.h"
#include "backend/opencl/timer.h"

namespace vyre {
namespace backend::opencl {
namespace {

// The context is made at first use: a machine may have many devices, and most programs use one.
class OpenclDevice final : public Device {
 public:
  OpenclDevice(cl_device_id device, DeviceOptions options, std::string selector)
      : device_(device), options_(std::move(options)), info_(describe(device)) {
    info_.selector = std::move(selector);
  }
  explicit OpenclDevice(std::shared_ptr<Context> context)
      : device_(context->device()), info_(describe(device_)), context_(std::move(context)) {
    if (!context_->profiles()) info_.clock_step_ns = 0;
  }

  const DeviceInfo& info() const override { return info_; }

  Expected<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    VYRE_TRY(const auto context, opened());
    return OpenclBuffer::allocate(context, bytes);
  }

  Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence& sequence, std::uint32_t program,
                                            const Specialisation& specialisation) override {
    VYRE_TRY(const auto context, opened());
    return compile_kernel(context, sequence, program, specialisation);
  }

  Expected<std::unique_ptr<Timer>> make_timer() override {
    VYRE_TRY(const auto context, opened());
    return OpenclTimer::make(context);
  }

  Expected<void> finish() override {
    VYRE_TRY(const auto context, opened());
    return context->finish();
  }

  Expected<std::shared_ptr<Context>> opened() {
    const std::lock_guard lock(mutex_);
    if (context_ == nullptr) {
      VYRE_TRY(context_, Context::make(device_, options_));
    }
    return context_;
  }

 private:
  cl_device_id device_;
  DeviceOptions options_{};
  DeviceInfo info_;
  std::mutex mutex_;
  std::shared_ptr<Context> context_;
};

}  // namespace
}  // namespace backend::opencl

Expected<std::vector<std::shared_ptr<Device>>> open_opencl(const DeviceOptions& options) {
  VYRE_TRY(const std::vector<cl_device_id> devices, backend::opencl::opencl_devices());
  std::vector<std::shared_ptr<Device>> out;
  for (cl_device_id device : devices) {
    out.push_back(std::make_shared<backend::opencl::OpenclDevice>(
        device, options, fmt::format("opencl:{}", out.size())));
  }
  return out;
}

Expected<std::shared_ptr<Device>> adopt_opencl(const OpenclHandles& handles,
                                               const DeviceOptions& options) {
  VYRE_TRY(auto context, backend::opencl::Context::adopt(handles, options));
  return std::make_shared<backend::opencl::OpenclDevice>(std::move(context));
}

Expected<std::unique_ptr<Buffer>> adopt_opencl_buffer(Device& device, _cl_mem* memory) {
  auto* opencl_device = dynamic_cast<backend::opencl::OpenclDevice*>(&device);
  if (opencl_device == nullptr) {
    return bad_inputs("{} is no OpenCL device; adopt the memory on one", device.info().name);
  }
  VYRE_TRY(const auto context, opencl_device->opened());
  return backend::opencl::OpenclBuffer::adopt(context, memory);
}

}  // namespace vyre
