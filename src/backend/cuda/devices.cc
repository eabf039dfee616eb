#include "backend/cuda/devices.h"

#include <mutex>

#include "backend/cuda/buffer.h"
#include "backend/cuda/cuda_kernel.h"
#include "backend/cuda/describe.h"
#include "backend/cuda/timer.h"

namespace vyre::backend::cuda {
namespace {

using Devices = std::vector<std::shared_ptr<Device>>;

// The context is made at first use: a machine may have many devices, and most programs use one.
class CudaDevice final : public Device {
 public:
  CudaDevice(std::shared_ptr<const Driver> driver, Described described, DeviceOptions options)
      : driver_(std::move(driver)),
        facts_(std::move(described.facts)),
        options_(std::move(options)),
        info_(std::move(described.info)) {}
  CudaDevice(std::shared_ptr<Context> context, DeviceInfo info)
      : info_(std::move(info)), context_(std::move(context)) {}

  const DeviceInfo& info() const override { return info_; }

  Expected<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    VYRE_TRY(const auto context, opened());
    return CudaBuffer::allocate(context, bytes);
  }

  Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence& sequence, std::uint32_t program,
                                            const Specialisation& specialisation) override {
    VYRE_TRY(const auto context, opened());
    return compile_kernel(context, sequence, program, specialisation);
  }

  Expected<std::unique_ptr<Timer>> make_timer() override {
    VYRE_TRY(const auto context, opened());
    return CudaTimer::make(context);
  }

  Expected<void> finish() override {
    VYRE_TRY(const auto context, opened());
    return context->finish();
  }

  Expected<std::shared_ptr<Context>> opened() {
    const std::lock_guard lock(mutex_);
    if (context_ == nullptr) {
      VYRE_TRY(context_, Context::make(driver_, facts_, options_));
    }
    return context_;
  }

 private:
  std::shared_ptr<const Driver> driver_;
  DeviceFacts facts_{};
  DeviceOptions options_{};
  DeviceInfo info_;
  std::mutex mutex_;
  std::shared_ptr<Context> context_;
};

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
      out.push_back(std::make_shared<CudaDevice>(driver, *std::move(described), options));
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
  return std::make_shared<CudaDevice>(std::move(context), std::move(described.info));
}

Expected<std::shared_ptr<Context>> context_of(Device& device) {
  auto* cuda_device = dynamic_cast<CudaDevice*>(&device);
  if (cuda_device != nullptr) return cuda_device->opened();
  return bad_inputs("{} is no device of CUDA or HIP; adopt the memory on one", device.info().name);
}

}  // namespace vyre::backend::cuda
