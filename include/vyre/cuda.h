// Devices of CUDA and HIP, and sharing with an application that uses either itself.
//
// The driver (libcuda.so.1, libamdhip64.so) and the run-time compiler (NVRTC, hipRTC) are opened by
// dlopen when a device is asked for: one build of vyre runs with and without them. docs/backends.md
// says what they need, and what was tried on real hardware.
//
// Threads: as vyre/device.h says. Launches are asynchronous, on one stream per device. The context
// is made current on each calling thread for the time of a call, and the one that the thread had is
// restored. After a kernel has failed (an address outside its buffers), the driver refuses every
// call of the process: the device is lost, and errors say so.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vyre/device.h"

namespace vyre {

// Files or names of the libraries, as dlopen takes them. Empty: the usual names.
struct CudaLibraries {
  std::string driver{};
  std::string compiler{};
};

// All devices of the driver, in its order. `backend`: no driver, no compiler, no device, or a
// driver that is too old for the compiler; the message says what to install. Contexts are made when
// a device is first used.
Expected<std::vector<std::shared_ptr<Device>>> open_cuda(const DeviceOptions& options,
                                                         const CudaLibraries& libraries);
Expected<std::vector<std::shared_ptr<Device>>> open_hip(const DeviceOptions& options,
                                                        const CudaLibraries& libraries);
// The same, with the libraries' usual names.
Expected<std::vector<std::shared_ptr<Device>>> open_cuda(const DeviceOptions& options = {});
Expected<std::vector<std::shared_ptr<Device>>> open_hip(const DeviceOptions& options = {});

// An application's own context and stream: CUcontext and CUstream, or hipCtx_t and hipStream_t. The
// application keeps both alive as long as the device or anything made from it. A null stream is the
// default stream.
struct CudaHandles {
  void* context = nullptr;
  void* stream = nullptr;
};
Expected<std::shared_ptr<Device>> adopt_cuda(const CudaHandles& handles,
                                             const DeviceOptions& options = {},
                                             const CudaLibraries& libraries = {});
Expected<std::shared_ptr<Device>> adopt_hip(const CudaHandles& handles,
                                            const DeviceOptions& options = {},
                                            const CudaLibraries& libraries = {});

// The application's memory (CUdeviceptr, or the pointer of cudaMalloc or hipMalloc) as a buffer of
// such a device. The application keeps it alive as long as the buffer and its parts.
Expected<std::unique_ptr<Buffer>> adopt_cuda_buffer(Device& device, std::uint64_t address,
                                                    std::size_t bytes);

// What this process holds through vyre, and what was compiled. For tests and reports.
struct CudaCounts {
  std::int64_t contexts = 0;
  std::int64_t streams = 0;
  std::int64_t buffers = 0;
  std::int64_t modules = 0;
  std::int64_t events = 0;
  std::uint64_t compiled = 0;  // kernels compiled from source, since the process began
  std::uint64_t loaded = 0;    // kernels taken from the binary store
  std::uint64_t damaged = 0;   // files of the store that could not be used, and were replaced
  std::uint64_t unsaved = 0;   // kernels that could not be written to the store

  std::int64_t live() const { return contexts + streams + buffers + modules + events; }
};
CudaCounts cuda_counts();

}  // namespace vyre
