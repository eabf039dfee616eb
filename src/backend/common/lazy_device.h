// LazyDevice: a device of a driver with contexts. The context is made at first use: a machine may
// have many devices, and most programs use one.
//
// Thread-safe, as any Device. All that it makes shares the context and may outlive the device.

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "vyre/device.h"

namespace vyre::backend {

// `Context` has finish(), `DriverBuffer` allocate(context, bytes), `DriverTimer` make(context); and
// compile_kernel(context, sequence, program, specialisation) is a function beside the context.
template <class Context, class DriverBuffer, class DriverTimer>
class LazyDevice final : public Device {
 public:
  using MakeContext = std::function<Expected<std::shared_ptr<Context>>()>;

  // A context that cannot be made is the error of whatever needs it, and is tried again.
  LazyDevice(DeviceInfo info, MakeContext make) : info_(std::move(info)), make_(std::move(make)) {}
  LazyDevice(DeviceInfo info, std::shared_ptr<Context> context)
      : info_(std::move(info)), context_(std::move(context)) {}

  const DeviceInfo& info() const override { return info_; }

  Expected<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    VYRE_TRY(const auto context, opened());
    return DriverBuffer::allocate(context, bytes);
  }

  Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence& sequence, std::uint32_t program,
                                            const Specialisation& specialisation) override {
    VYRE_TRY(const auto context, opened());
    return compile_kernel(context, sequence, program, specialisation);
  }

  Expected<std::unique_ptr<Timer>> make_timer() override {
    VYRE_TRY(const auto context, opened());
    return DriverTimer::make(context);
  }

  Expected<void> finish() override {
    VYRE_TRY(const auto context, opened());
    return context->finish();
  }

  Expected<std::shared_ptr<Context>> opened() {
    const std::lock_guard lock(mutex_);
    if (context_ == nullptr) {
      VYRE_TRY(context_, make_());
    }
    return context_;
  }

 private:
  DeviceInfo info_;
  MakeContext make_;
  std::mutex mutex_;
  std::shared_ptr<Context> context_;
};

}  // namespace vyre::backend
