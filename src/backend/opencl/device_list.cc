#include "backend/opencl/device_list.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace vyre::backend::opencl {
namespace {

template <class T>
T device_value(cl_device_id device, cl_device_info what) {
  T value{};
  api().clGetDeviceInfo(device, what, sizeof(value), static_cast<void*>(&value), nullptr);
  return value;
}

std::uint32_t clamped(std::size_t value) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(value, 0xffffffffU));
}

std::string platform_name(cl_device_id device) {
  return platform_text(device_value<cl_platform_id>(device, CL_DEVICE_PLATFORM), CL_PLATFORM_NAME);
}

DeviceKind kind_of(cl_device_id device) {
  const auto type = device_value<cl_device_type>(device, CL_DEVICE_TYPE);
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceKind::gpu;
  return (type & CL_DEVICE_TYPE_CPU) != 0 ? DeviceKind::cpu : DeviceKind::accelerator;
}

// OpenCL over Vulkan or Direct3D: clvk, Mesa's CLOn12, and Mesa's rusticl over its driver zink.
bool is_layered(cl_device_id device) {
  const std::string platform = platform_name(device);
  return platform == "clvk" || platform == "OpenCLOn12" ||
         device_text(device, CL_DEVICE_NAME).starts_with("zink");
}

// Of cl_ext.h, whose older versions lack them.
constexpr cl_device_info kUuid = 0x106A;     // cl_khr_device_uuid
constexpr cl_device_info kPciInfo = 0x410F;  // cl_khr_pci_bus_info

// Several runtimes on one CPU are different devices: kernels are compiled differently by each.
HardwareId hardware_of(cl_device_id device) {
  HardwareId out;
  if (kind_of(device) == DeviceKind::cpu) return out;
  const std::string extensions = device_text(device, CL_DEVICE_EXTENSIONS);
  if (extensions.find("cl_khr_device_uuid") != std::string::npos) {
    for (const unsigned char byte : device_value<std::array<unsigned char, 16>>(device, kUuid)) {
      out.uuid += fmt::format("{:02x}", byte);
    }
  }
  if (extensions.find("cl_khr_pci_bus_info") != std::string::npos) {
    const auto [domain, bus, slot, function] =
        device_value<std::array<cl_uint, 4>>(device, kPciInfo);
    out.pci = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, slot, function);
  }
  return out;
}

DeviceLimits limits_of(cl_device_id device) {
  const auto sizes =
      device_value<std::array<std::size_t, 3>>(device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  return {
      .workgroup_items = clamped(device_value<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE)),
      .workgroup_size = {clamped(sizes[0]), clamped(sizes[1]), clamped(sizes[2])},
      .buffer_bytes = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
      .local_bytes = device_value<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE),
      .compute_units = device_value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS),
      .memory_bytes = device_value<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE)};
}

struct Found {
  cl_device_id device;
  std::size_t place;  // in the loader's order
  std::string platform = platform_name(device);

  auto order() const {
    const DeviceKind kind = kind_of(device);
    const int rank = kind == DeviceKind::cpu ? implementation_rank(platform) : 0;
    return std::tuple(kind, is_layered(device), rank, platform, place);
  }
};

Expected<std::vector<cl_platform_id>> list_platforms() {
  VYRE_TRY_VOID(has_api());
  cl_uint count = 0;
  const cl_int code = api().clGetPlatformIDs(0, nullptr, &count);
  if (code != CL_SUCCESS) return cl_error(code, "there is no OpenCL platform");
  std::vector<cl_platform_id> platforms(count);
  api().clGetPlatformIDs(count, platforms.data(), nullptr);
  return platforms;
}

}  // namespace

int implementation_rank(std::string_view platform) {
  constexpr std::array<std::string_view, 2> kFirst{"Intel(R) OpenCL",
                                                   "Portable Computing Language"};
  constexpr std::array<std::string_view, 2> kLast{"rusticl", "Clover"};
  if (std::ranges::find(kLast, platform) != kLast.end()) {
    return static_cast<int>(kFirst.size()) + 1;
  }
  return static_cast<int>(std::ranges::find(kFirst, platform) - kFirst.begin());
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
  info.kind = kind_of(device);
  info.is_layered = is_layered(device);
  info.hardware = hardware_of(device);
  info.shares_host_cores = info.kind == DeviceKind::cpu;
  info.clock_step_ns = device_value<std::size_t>(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION);
  if (info.kind != DeviceKind::cpu) {
    info.untried = "this backend was tested on CPUs only, never on such a device";
  }
  info.part_alignment = device_value<cl_uint>(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  info.limits = limits_of(device);
  return info;
}

Expected<std::vector<cl_device_id>> opencl_devices() {
  VYRE_TRY(const std::vector<cl_platform_id> platforms, list_platforms());
  std::vector<Found> found;
  for (cl_platform_id platform : platforms) {
    cl_uint count = 0;
    if (api().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) {
      continue;
    }
    std::vector<cl_device_id> devices(count);
    api().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
    for (cl_device_id device : devices) found.push_back({device, found.size()});
  }
  if (found.empty()) {
    return backend_error(
        "the {} OpenCL platform(s) have no device; check that the driver sees it, for example with "
        "clinfo",
        platforms.size());
  }
  std::ranges::sort(found, {}, &Found::order);
  std::vector<cl_device_id> out;
  for (const Found& one : found) out.push_back(one.device);
  return out;
}

}  // namespace vyre::backend::opencl
