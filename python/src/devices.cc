// Devices, the memory on them, and the environment.

#include <nanobind/stl/array.h>

#include "convert.h"

namespace vyre::python {
namespace {

const char* kind_text(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::gpu:
      return "gpu";
    case DeviceKind::accelerator:
      return "accelerator";
    case DeviceKind::cpu:
      return "cpu";
    case DeviceKind::interpreter:
      return "interpreter";
  }
  return "unknown";
}

nb::dict limits_of(const DeviceLimits& limits) {
  nb::dict out;
  out["workgroup_items"] = limits.workgroup_items;
  out["workgroup_size"] = nb::cast(limits.workgroup_size);
  out["buffer_bytes"] = limits.buffer_bytes;
  out["local_bytes"] = limits.local_bytes;
  out["compute_units"] = limits.compute_units;
  out["memory_bytes"] = limits.memory_bytes;
  return out;
}

nb::dict describe(const DeviceInfo& info) {
  nb::dict out;
  out["selector"] = info.selector;
  out["backend"] = info.backend;
  out["kind"] = kind_text(info.kind);
  out["name"] = text_of(info.name);
  out["platform"] = text_of(info.platform);
  out["driver"] = text_of(info.driver);
  out["language"] = text_of(info.language);
  out["executes"] = info.executes;
  out["clock_step_ns"] = info.clock_step_ns;
  out["untried"] = info.untried;
  out["fingerprint"] = fingerprint(info);
  out["limits"] = limits_of(info.limits);
  return out;
}

nb::tuple list(const std::string& folder) {
  DeviceList found;
  {
    const nb::gil_scoped_release others;
    found = list_devices(device_options({.folder = folder}));
  }
  nb::list devices;
  for (const DeviceList::Entry& entry : found.devices) {
    devices.append(nb::make_tuple(DeviceHandle{entry.device}, entry.same_as));
  }
  nb::list missing;
  for (const DeviceList::Missing& backend : found.missing) {
    missing.append(nb::make_tuple(std::string(backend.backend), backend.why.message));
  }
  return nb::make_tuple(devices, missing);
}

DeviceHandle open(const std::string& selector, const std::string& folder) {
  Expected<std::shared_ptr<Device>> device;
  {
    const nb::gil_scoped_release others;
    device = open_device(selector, device_options({.folder = folder}));
  }
  return {value_of(std::move(device))};
}

DeviceHandle adopt(std::uintptr_t context, std::uintptr_t device, std::uintptr_t queue,
                   const std::string& folder) {
  const OpenclHandles handles{.context = reinterpret_cast<_cl_context*>(context),
                              .device = reinterpret_cast<_cl_device_id*>(device),
                              .queue = reinterpret_cast<_cl_command_queue*>(queue)};
  return {value_of(adopt_opencl(handles, device_options({.folder = folder})))};
}

// The part of the buffer from `offset` on; all of it where the offset is 0.
BufferHandle part_of(std::unique_ptr<Buffer> whole, std::size_t offset) {
  if (offset == 0) return {std::move(whole)};
  if (offset >= whole->size()) {
    raise({.message = "an array begins behind the end of its buffer; check its offset"});
  }
  return {value_of(whole->part(offset, whole->size() - offset))};
}

BufferHandle adopt_memory(const DeviceHandle& device, std::uintptr_t memory, std::size_t offset) {
  return part_of(value_of(adopt_opencl_buffer(*device.device, reinterpret_cast<_cl_mem*>(memory))),
                 offset);
}

BufferHandle adopt_cuda_memory(const DeviceHandle& device, std::uint64_t address,
                               std::size_t bytes) {
  return {value_of(adopt_cuda_buffer(*device.device, address, bytes))};
}

nb::dict environment() {
  const Environment env = from_env();
  nb::dict out;
  out["mode"] = std::string(to_string(env.mode));
  out["folder"] = env.files.folder.string();
  out["system_folder"] = env.files.system_folder.string();
  out["warnings"] = nb::cast(env.warnings);
  return out;
}

}  // namespace

void add_devices(nb::module_& module) {
  nb::class_<DeviceHandle>(module, "Device").def("describe", [](const DeviceHandle& handle) {
    return describe(handle.device->info());
  });
  nb::class_<BufferHandle>(module, "Buffer").def("size", [](const BufferHandle& handle) {
    return handle.buffer->size();
  });
  module.def("list_devices", &list, nb::arg("folder"));
  module.def("open_device", &open, nb::arg("selector"), nb::arg("folder"));
  module.def("adopt_opencl", &adopt, nb::arg("context"), nb::arg("device"), nb::arg("queue"),
             nb::arg("folder"));
  module.def("adopt_opencl_memory", &adopt_memory, nb::arg("device"), nb::arg("memory"),
             nb::arg("offset"));
  module.def("adopt_cuda_memory", &adopt_cuda_memory, nb::arg("device"), nb::arg("address"),
             nb::arg("bytes"));
  module.def("environment", &environment);
}

}  // namespace vyre::python
