// OpenCL devices: any vendor's, through the ICD loader; and sharing with an application that uses
// OpenCL itself.
//
// Threads: as vyre/device.h says. Launches are asynchronous, on one in-order queue per device.
// Workgroup sizes that a device refuses are `rejected`. A kernel that does not compile is
// `rejected`, with the part of the compiler's log that matters.
//
// A build that exceeds DeviceOptions::build_limit is left to end by itself on a thread of its own:
// OpenCL has no way to stop it. A process that must not wait for it at its end should _exit.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vyre/device.h"

// OpenCL's handles, as CL/cl.h declares them.
// NOLINTBEGIN(bugprone-reserved-identifier)
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
struct _cl_mem;
// NOLINTEND(bugprone-reserved-identifier)

namespace vyre {

// All devices of all platforms; GPUs first, then accelerators, then CPUs, in an order that
// docs/devices.md gives. An error if the machine has no OpenCL, no platform, or none with a device.
// libOpenCL.so.1 is opened by the first call; contexts are made when a device is first used.
Expected<std::vector<std::shared_ptr<Device>>> open_opencl(const DeviceOptions& options = {});

// Handles of an application's own. They are retained while the device or anything made from it
// lives; the application keeps its own references. The queue must be in order, of that context and
// device.
struct OpenclHandles {
  _cl_context* context = nullptr;
  _cl_device_id* device = nullptr;
  _cl_command_queue* queue = nullptr;
};
Expected<std::shared_ptr<Device>> adopt_opencl(const OpenclHandles& handles,
                                               const DeviceOptions& options = {});

// The application's memory object as a buffer of an OpenCL device of the same context. Retained.
Expected<std::unique_ptr<Buffer>> adopt_opencl_buffer(Device& device, _cl_mem* memory);

// References that this process holds through vyre, and what was compiled. For tests and reports.
struct OpenclCounts {
  std::int64_t contexts = 0;
  std::int64_t queues = 0;
  std::int64_t buffers = 0;
  std::int64_t programs = 0;
  std::int64_t kernels = 0;
  std::int64_t events = 0;
  std::uint64_t compiled = 0;  // programs built from source, since the process began
  std::uint64_t loaded = 0;    // programs taken from the binary store
  std::uint64_t fetched = 0;   // binaries that the driver was asked for
  std::uint64_t damaged = 0;   // files of the store that could not be used, and were replaced
  std::uint64_t unsaved = 0;   // binaries that could not be written to the store

  std::int64_t live() const { return contexts + queues + buffers + programs + kernels + events; }
};
OpenclCounts opencl_counts();

}  // namespace vyre
