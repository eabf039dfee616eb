#include "vyre/cuda.h"

#include "backend/cuda/buffer.h"
#include "backend/cuda/describe.h"
#include "backend/cuda/devices.h"

namespace vyre {
namespace backend::cuda {
namespace {

Expected<std::vector<std::shared_ptr<Device>>> open_library(Api api, const DeviceOptions& options,
                                                            const CudaLibraries& libraries) {
  VYRE_TRY(const auto driver, load_driver(api, libraries.driver));
  return open_all(driver, [&] { return Compiler::load(api, libraries.compiler); }, options);
}

Expected<std::shared_ptr<Device>> adopt_library(Api api, const CudaHandles& handles,
                                                const DeviceOptions& options,
                                                const CudaLibraries& libraries) {
  VYRE_TRY(const auto driver, load_driver(api, libraries.driver));
  VYRE_TRY_VOID(start(*driver));
  VYRE_TRY(const Compilers compilers, Compiler::load(api, libraries.compiler));
  return adopt(driver, compilers, handles, options);
}

}  // namespace
}  // namespace backend::cuda

Expected<std::vector<std::shared_ptr<Device>>> open_cuda(const DeviceOptions& options,
                                                         const CudaLibraries& libraries) {
  return backend::cuda::open_library(backend::cuda::Api::cuda, options, libraries);
}

Expected<std::vector<std::shared_ptr<Device>>> open_hip(const DeviceOptions& options,
                                                        const CudaLibraries& libraries) {
  return backend::cuda::open_library(backend::cuda::Api::hip, options, libraries);
}

Expected<std::vector<std::shared_ptr<Device>>> open_cuda(const DeviceOptions& options) {
  return open_cuda(options, CudaLibraries{});
}

Expected<std::vector<std::shared_ptr<Device>>> open_hip(const DeviceOptions& options) {
  return open_hip(options, CudaLibraries{});
}

Expected<std::shared_ptr<Device>> adopt_cuda(const CudaHandles& handles,
                                             const DeviceOptions& options,
                                             const CudaLibraries& libraries) {
  return backend::cuda::adopt_library(backend::cuda::Api::cuda, handles, options, libraries);
}

Expected<std::shared_ptr<Device>> adopt_hip(const CudaHandles& handles,
                                            const DeviceOptions& options,
                                            const CudaLibraries& libraries) {
  return backend::cuda::adopt_library(backend::cuda::Api::hip, handles, options, libraries);
}

Expected<std::unique_ptr<Buffer>> adopt_cuda_buffer(Device& device, std::uint64_t address,
                                                    std::size_t bytes) {
  VYRE_TRY(const auto context, backend::cuda::context_of(device));
  return backend::cuda::CudaBuffer::adopt(context, address, bytes);
}

CudaCounts cuda_counts() {
  const backend::cuda::CudaCounters& c = backend::cuda::cuda_counters();
  return {.contexts = c.contexts,
          .streams = c.streams,
          .buffers = c.buffers,
          .modules = c.modules,
          .events = c.events,
          .compiled = c.compiled,
          .loaded = c.loaded,
          .damaged = c.damaged,
          .unsaved = c.unsaved};
}

}  // namespace vyre
