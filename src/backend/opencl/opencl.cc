#include "vyre/opencl.h"

#include <algorithm>
#include <mutex>

#include "backend/opencl/buffer.h"
#include "backend/opencl/opencl_kernel.h"
#include "backend/opencl/timer.h"

namespace vyre {
namespace backend::opencl {
namespace {

template <class T>
T device_value(cl_device_id device, cl_device_info what) {
  T value{};
  clGetDeviceInfo(device, what, sizeof(value), static_cast<void*>(&value), nullptr);
  return value;
}

std::uint32_t clamped(std::size_t value) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(value, 0xffffffffU));
}

DeviceInfo describe(cl_device_id device) {
  const auto platform = device_value<cl_platform_id>(device, CL_DEVICE_PLATFORM);
  DeviceInfo info;
  info.backend = "opencl";
  info.platform = platform_text(platform, CL_PLATFORM_NAME) + ", " +
                  platform_text(platform, CL_PLATFORM_VERSION);
  info.name = device_text(device, CL_DEVICE_NAME);
  info.driver = device_text(device, CL_DRIVER_VERSION);
  info.language = device_text(device, CL_DEVICE_VERSION) + ", " +
                  device_text(device, CL_DEVICE_OPENCL_C_VERSION);
  info.shares_host_cores =
      (device_value<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  info.part_alignment = device_value<cl_uint>(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const auto sizes =
      device_value<std::array<std::size_t, 3>>(device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  info.limits = {
      .workgroup_items = clamped(device_value<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE)),
      .workgroup_size = {clamped(sizes[0]), clamped(sizes[1]), clamped(sizes[2])},
      .buffer_bytes = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
      .local_bytes = device_value<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE),
      .compute_units = device_value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS)};
  return info;
}

// The context is made at first use: a machine may have many devices, and most programs use one.
class OpenclDevice final : public Device {
 public:
  OpenclDevice(cl_device_id device, DeviceOptions options, std::string selector)
      : device_(device), options_(std::move(options)), info_(describe(device)) {
    info_.selector = std::move(selector);
  }
  explicit OpenclDevice(std::shared_ptr<Context> context)
      : device_(context->device()), info_(describe(device_)), context_(std::move(context)) {}

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

// GPUs before accelerators before CPUs.
int rank(cl_device_id device) {
  const auto type = device_value<cl_device_type>(device, CL_DEVICE_TYPE);
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return 0;
  return (type & CL_DEVICE_TYPE_CPU) != 0 ? 2 : 1;
}

Expected<std::vector<cl_device_id>> list_devices() {
  cl_uint count = 0;
  cl_int code = clGetPlatformIDs(0, nullptr, &count);
  if (code != CL_SUCCESS) return cl_error(code, "there is no OpenCL platform");
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  std::vector<std::pair<std::pair<int, std::size_t>, cl_device_id>> found;
  for (cl_platform_id platform : platforms) {
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
    std::vector<cl_device_id> devices(count);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
    for (cl_device_id device : devices) found.push_back({{rank(device), found.size()}, device});
  }
  if (found.empty()) {
    return backend_error(
        "the {} OpenCL platform(s) have no device; check that the driver sees it, for example with "
        "clinfo",
        platforms.size());
  }
  std::ranges::sort(found);
  std::vector<cl_device_id> out;
  for (const auto& [order, device] : found) out.push_back(device);
  return out;
}

}  // namespace
}  // namespace backend::opencl

Expected<std::vector<std::shared_ptr<Device>>> open_opencl(const DeviceOptions& options) {
  VYRE_TRY(const std::vector<cl_device_id> devices, backend::opencl::list_devices());
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
