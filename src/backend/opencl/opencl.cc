#include "vyre/opencl.h"

#include "backend/common/lazy_device.h"
#include "backend/opencl/buffer.h"
#include "backend/opencl/device_list.h"
#include "backend/opencl/opencl_kernel.h"
#include "backend/opencl/timer.h"

namespace vyre {
namespace backend::opencl {
namespace {

using OpenclDevice = LazyDevice<Context, OpenclBuffer, OpenclTimer>;

std::shared_ptr<Device> make_device(cl_device_id device, const DeviceOptions& options,
                                    std::string selector) {
  DeviceInfo info = describe(device);
  info.selector = std::move(selector);
  return std::make_shared<OpenclDevice>(
      std::move(info), [device, options] { return Context::make(device, options); });
}

std::shared_ptr<Device> make_device(std::shared_ptr<Context> context) {
  DeviceInfo info = describe(context->device());
  if (!context->profiles()) info.clock_step_ns = 0;
  return std::make_shared<OpenclDevice>(std::move(info), std::move(context));
}

}  // namespace
}  // namespace backend::opencl

Expected<std::vector<std::shared_ptr<Device>>> open_opencl(const DeviceOptions& options) {
  VYRE_TRY(const std::vector<cl_device_id> devices, backend::opencl::opencl_devices());
  std::vector<std::shared_ptr<Device>> out;
  for (cl_device_id device : devices) {
    out.push_back(
        backend::opencl::make_device(device, options, fmt::format("opencl:{}", out.size())));
  }
  return out;
}

Expected<std::shared_ptr<Device>> adopt_opencl(const OpenclHandles& handles,
                                               const DeviceOptions& options) {
  VYRE_TRY(auto context, backend::opencl::Context::adopt(handles, options));
  return backend::opencl::make_device(std::move(context));
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
