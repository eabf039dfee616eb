#include "vyre/call.h"

#include "backend/launcher.h"
#include "base/error.h"

namespace vyre {
namespace {

class DeviceDispatcher final : public Dispatcher {
 public:
  explicit DeviceDispatcher(std::shared_ptr<Device> device) : launcher_(std::move(device)) {}

  using Dispatcher::dispatch;

  Expected<void> dispatch(const ir::Sequence& sequence, std::span<const Arg> args,
                          const CallOptions& options) override {
    backend::Slots slots(sequence);
    VYRE_TRY_VOID(backend::place(sequence, args, slots));
    VYRE_TRY(const auto bound, launcher_.find_or_bind(sequence, slots, options));
    return launcher_.run(*bound, slots);
  }

  Expected<void> dispatch(const ir::Sequence& sequence, const Call& call,
                          Outputs& outputs) override {
    backend::Slots slots(sequence);
    VYRE_TRY_VOID(backend::place(sequence, call, &outputs, slots));
    VYRE_TRY(const auto bound, launcher_.find_or_bind(sequence, slots, backend::options_of(call)));
    return launcher_.run(*bound, slots);
  }

  Expected<void> finish() override { return launcher_.finish(); }

 private:
  backend::Launcher launcher_;
};

}  // namespace

Expected<Outputs> Dispatcher::dispatch(const ir::Sequence& sequence, const Call& call) {
  Outputs outputs;
  VYRE_TRY_VOID(dispatch(sequence, call, outputs));
  return outputs;
}

std::unique_ptr<Dispatcher> make_dispatcher(std::shared_ptr<Device> device) {
  return std::make_unique<DeviceDispatcher>(std::move(device));
}

}  // namespace vyre
