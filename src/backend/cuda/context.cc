#include "backend/cuda/context.h"

namespace vyre::backend::cuda {
namespace {

// A stream that does not wait for the default stream, on which an application may have its own
// work.
constexpr unsigned kNonBlocking = 1;

}  // namespace

CudaCounters& cuda_counters() {
  static CudaCounters instance{};
  return instance;
}

Context::Context(std::shared_ptr<const Driver> driver, const DeviceFacts& facts,
                 const DeviceOptions& options)
    : driver_(std::move(driver)),
      facts_(facts),
      options_(options),
      store_(options.binary_store),
      form_(facts.target.form) {}

Expected<std::shared_ptr<Context>> Context::make(std::shared_ptr<const Driver> driver,
                                                 const DeviceFacts& facts,
                                                 const DeviceOptions& options) {
  std::shared_ptr<Context> out(new Context(std::move(driver), facts, options));
  const DriverFunctions& call = out->call();
  VYRE_TRY_VOID(out->check(call.primary_context_retain(&out->context_, facts.device),
                           "the device cannot be opened"));
  out->is_retained_ = true;
  ++cuda_counters().contexts;
  VYRE_TRY(const Use use, out->use());
  VYRE_TRY_VOID(out->check(call.stream_create(&out->stream_, kNonBlocking),
                           "no stream can be made on the device"));
  out->owns_stream_ = true;
  ++cuda_counters().streams;
  return out;
}

Expected<std::shared_ptr<Context>> Context::adopt(std::shared_ptr<const Driver> driver,
                                                  const DeviceFacts& facts,
                                                  const CudaHandles& handles,
                                                  const DeviceOptions& options) {
  std::shared_ptr<Context> out(new Context(std::move(driver), facts, options));
  out->context_ = static_cast<DriverContext>(handles.context);
  out->stream_ = static_cast<DriverStream>(handles.stream);
  return out;
}

Context::~Context() {
  if (owns_stream_) {
    const auto use = this->use();
    call().stream_destroy(stream_);
    --cuda_counters().streams;
  }
  if (is_retained_) {
    call().primary_context_release(facts_.device);
    --cuda_counters().contexts;
  }
}

Expected<Context::Use> Context::use() {
  {
    const std::lock_guard lock(mutex_);
    if (!lost_.empty()) {
      return backend_error("the device is lost to this process since {}; start the process again",
                           lost_);
    }
  }
  DriverContext before = nullptr;
  const int code = call().context_get(&before);
  if (code == 0 && before == context_) return Use(call(), std::nullopt);
  VYRE_TRY_VOID(check(call().context_set(context_), "the device's context cannot be used"));
  return Use(call(), before);
}

Expected<void> Context::check(int code, std::string_view what) {
  if (code == 0) return {};
  if (is_sticky(code)) {
    const std::lock_guard lock(mutex_);
    if (lost_.empty()) lost_ = name_of_code(*driver_, code);
  }
  return driver_error(*driver_, code, what);
}

std::shared_ptr<LoadedModule> Context::find_module(const Hash& key) {
  const std::lock_guard lock(mutex_);
  const auto it = modules_.find(key);
  return it == modules_.end() ? nullptr : it->second.lock();
}

void Context::add_module(const Hash& key, const std::shared_ptr<LoadedModule>& module) {
  const std::lock_guard lock(mutex_);
  std::erase_if(modules_, [](const auto& entry) { return entry.second.expired(); });
  modules_[key] = module;
}

Expected<void> Context::finish() {
  VYRE_TRY(const Use use, this->use());
  return check(call().stream_finish(stream_), "waiting for the device failed");
}

}  // namespace vyre::backend::cuda
