#include "backend/cuda/devices.h"

#include "backend/common/lazy_device.h"
#include "backend/cuda/buffer.h"
#include "backend/cuda/cuda_kernel.h"
#include "backend/cuda/describe.h"
#include "backend/cuda/timer.h"

namespace vyre::backend::cuda {
namespace {

using Devices = std::vector<std::shared_ptr<Device>>;

using CudaDevice = LazyDevice<Context, CudaBuffer, CudaTimer>;

std::shared_ptr<Device> make_device(const std::shared_ptr<const Driver>& driver,
                                    Described&& described, const DeviceOptions& options) {
  return std::make_shared<CudaDevice>(std::move(described.info),
                                      [driver, facts = std::move(described.facts), options] {
                                        return Context::make(driver, facts, options);
                                      });
}

}  // namespace

Expected<Devices> open_all(const std::shared_ptr<const Driver>& driver,
                           const std::function<Expected<Compilers>()>& load_compilers,
                           const DeviceOptions& options) {
  VYRE_TRY(const int count, start(*driver));
  VYRE_TRY(const Compilers compilers, load_compilers());
  Devices out;
  std::optional<Error> first;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    auto described = describe(*driver, compilers, ordinal);
    if (described) {
      described->info.selector = fmt::format("{}:{}", described->info.backend, out.size());
      out.push_back(make_device(driver, *std::move(described), options));
    } else if (!first) {
      first = std::move(described).error();
    }
  }
  // A device that no compiler serves does not hide the others.
  if (out.empty() && first) return std::unexpected(*std::move(first));
  return out;
}

Expected<std::shared_ptr<Device>> adopt(const std::shared_ptr<const Driver>& driver,
                                        const Compilers& compilers, const CudaHandles& handles,
                                        const DeviceOptions& options) {
  if (handles.context == nullptr) {
    return bad_inputs("the context is null; hand in the one that the stream belongs to");
  }
  VYRE_TRY(const int device, device_of(*driver, static_cast<DriverContext>(handles.context)));
  VYRE_TRY(Described described, describe(*driver, compilers, device));
  VYRE_TRY(auto context, Context::adopt(driver, described.facts, handles, options));
  return std::make_shared<CudaDevice>(std::move(described.info), std::move(context));
}

Expected<std::shared_ptr<Context>> context_of(Device& device) {
  auto* cuda_device = dynamic_cast<CudaDevice*>(&device);
  if (cuda_device != nullptr) return cuda_device->opened();
  return bad_inputs("{} is no device of CUDA or HIP; adopt the memory on one", device.info().name);
}

}  // namespace vyre::backend::cuda
