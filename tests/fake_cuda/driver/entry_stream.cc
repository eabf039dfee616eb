// Entry points about streams and events.

#include "fake_cuda/driver/state.h"

using namespace fake_cuda;
namespace cuda = vyre::backend::cuda;

namespace {

constexpr unsigned kNoTiming = 2;

bool knows_stream(const Context& context, cuda::DriverStream stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 || context.streams.contains(stream);
}

Event* find_event(const Context& context, cuda::DriverEvent event) {
  const auto found = context.events.find(event);
  return found != context.events.end() ? found->second.get() : nullptr;
}

}  // namespace

FAKE_CUDA_ENTRY cuStreamCreate(cuda::DriverStream* stream, unsigned flags) {
  return call_in_context("cuStreamCreate", [&](State&, Context& context) -> int {
    if (stream == nullptr || flags > 1) return kInvalidValue;
    auto made = std::make_unique<Stream>();
    *stream = reinterpret_cast<cuda::DriverStream>(made.get());
    context.streams[*stream] = std::move(made);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuStreamDestroy_v2(cuda::DriverStream stream) {
  return call_in_context("cuStreamDestroy_v2", [&](State&, Context& context) -> int {
    return context.streams.erase(stream) == 1 ? kSuccess : kInvalidHandle;
  });
}

FAKE_CUDA_ENTRY cuStreamSynchronize(cuda::DriverStream stream) {
  return call_in_context("cuStreamSynchronize", [&](State&, Context& context) -> int {
    return knows_stream(context, stream) ? kSuccess : kInvalidHandle;
  });
}

FAKE_CUDA_ENTRY cuEventCreate(cuda::DriverEvent* event, unsigned flags) {
  return call_in_context("cuEventCreate", [&](State&, Context& context) -> int {
    if (event == nullptr || flags > 7) return kInvalidValue;
    auto made = std::make_unique<Event>();
    made->flags = flags;
    *event = reinterpret_cast<cuda::DriverEvent>(made.get());
    context.events[*event] = std::move(made);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuEventDestroy_v2(cuda::DriverEvent event) {
  return call_in_context("cuEventDestroy_v2", [&](State&, Context& context) -> int {
    return context.events.erase(event) == 1 ? kSuccess : kInvalidHandle;
  });
}

FAKE_CUDA_ENTRY cuEventRecord(cuda::DriverEvent event, cuda::DriverStream stream) {
  return call_in_context("cuEventRecord", [&](State&, Context& context) -> int {
    Event* found = find_event(context, event);
    if (found == nullptr || !knows_stream(context, stream)) return kInvalidHandle;
    found->recorded = true;
    found->time = std::chrono::steady_clock::now();
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuEventSynchronize(cuda::DriverEvent event) {
  return call_in_context("cuEventSynchronize", [&](State&, Context& context) -> int {
    return find_event(context, event) != nullptr ? kSuccess : kInvalidHandle;
  });
}

FAKE_CUDA_ENTRY cuEventElapsedTime(float* milliseconds, cuda::DriverEvent begin,
                                   cuda::DriverEvent end) {
  return call_in_context("cuEventElapsedTime", [&](State&, Context& context) -> int {
    const Event* first = find_event(context, begin);
    const Event* second = find_event(context, end);
    if (milliseconds == nullptr) return kInvalidValue;
    for (const Event* event : {first, second}) {
      if (event == nullptr || !event->recorded || (event->flags & kNoTiming) != 0) {
        return kInvalidHandle;
      }
    }
    *milliseconds = std::chrono::duration<float, std::milli>(second->time - first->time).count();
    return kSuccess;
  });
}
