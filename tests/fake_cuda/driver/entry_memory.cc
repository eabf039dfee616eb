// Entry points about memory.

#include <cstring>

#include "fake_cuda/driver/state.h"

using namespace fake_cuda;
namespace cuda = vyre::backend::cuda;

FAKE_CUDA_ENTRY cuMemAlloc_v2(cuda::DriverPointer* pointer, std::size_t bytes) {
  return call_in_context("cuMemAlloc_v2", [&](State&, Context& context) -> int {
    if (pointer == nullptr || bytes == 0) return kInvalidValue;
    const Allocation* made = context.memory.allocate(bytes);
    if (made == nullptr) return kOutOfMemory;
    *pointer = made->begin;
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuMemFree_v2(cuda::DriverPointer pointer) {
  return call_in_context("cuMemFree_v2", [&](State&, Context& context) -> int {
    if (pointer == 0) return kSuccess;
    const Allocation* found = context.memory.find(pointer, 0);
    if (found == nullptr || found->of_module) return kInvalidValue;
    return context.memory.release(pointer) ? kSuccess : kInvalidValue;
  });
}

namespace {

// Device memory of `bytes` bytes for a copy; null where the range is not within one allocation.
std::uint8_t* range(const Context& context, cuda::DriverPointer at, std::size_t bytes) {
  const Allocation* found = context.memory.find(at, bytes);
  return found != nullptr ? found->at(at) : nullptr;
}

bool is_stream(const Context& context, cuda::DriverStream stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 || context.streams.contains(stream);
}

}  // namespace

FAKE_CUDA_ENTRY cuMemcpyHtoDAsync_v2(cuda::DriverPointer to, const void* from, std::size_t bytes,
                                     cuda::DriverStream stream) {
  return call_in_context("cuMemcpyHtoDAsync_v2", [&](State&, Context& context) -> int {
    if (!is_stream(context, stream)) return kInvalidHandle;
    if (bytes == 0) return kSuccess;
    std::uint8_t* target = range(context, to, bytes);
    if (target == nullptr || from == nullptr) return kInvalidValue;
    std::memcpy(target, from, bytes);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuMemcpyDtoHAsync_v2(void* to, cuda::DriverPointer from, std::size_t bytes,
                                     cuda::DriverStream stream) {
  return call_in_context("cuMemcpyDtoHAsync_v2", [&](State&, Context& context) -> int {
    if (!is_stream(context, stream)) return kInvalidHandle;
    if (bytes == 0) return kSuccess;
    const std::uint8_t* source = range(context, from, bytes);
    if (source == nullptr || to == nullptr) return kInvalidValue;
    std::memcpy(to, source, bytes);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuMemcpyDtoDAsync_v2(cuda::DriverPointer to, cuda::DriverPointer from,
                                     std::size_t bytes, cuda::DriverStream stream) {
  return call_in_context("cuMemcpyDtoDAsync_v2", [&](State&, Context& context) -> int {
    if (!is_stream(context, stream)) return kInvalidHandle;
    if (bytes == 0) return kSuccess;
    std::uint8_t* target = range(context, to, bytes);
    const std::uint8_t* source = range(context, from, bytes);
    if (target == nullptr || source == nullptr) return kInvalidValue;
    std::memmove(target, source, bytes);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuMemsetD8Async(cuda::DriverPointer to, unsigned char value, std::size_t count,
                                cuda::DriverStream stream) {
  return call_in_context("cuMemsetD8Async", [&](State&, Context& context) -> int {
    if (!is_stream(context, stream)) return kInvalidHandle;
    if (count == 0) return kSuccess;
    std::uint8_t* target = range(context, to, count);
    if (target == nullptr) return kInvalidValue;
    std::memset(target, value, count);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuPointerGetAttribute(void* value, int attribute, cuda::DriverPointer pointer) {
  return call_in_context("cuPointerGetAttribute", [&](State&, Context& context) -> int {
    const Allocation* found = context.memory.find(pointer, 1);
    if (value == nullptr || found == nullptr) return kInvalidValue;
    const auto give = [value](const auto& what) {
      std::memcpy(value, &what, sizeof what);
      return kSuccess;
    };
    switch (attribute) {
      case 1:  // the context
        return give(reinterpret_cast<cuda::DriverContext>(&context));
      case 2:  // what kind of memory: a device's
        return give(2U);
      case 3:  // the address on the device
        return give(pointer);
      case 9:
        return give(context.device);
      case 11:
        return give(found->begin);
      case 12:
        return give(found->bytes);
      default:
        return kInvalidValue;
    }
  });
}
