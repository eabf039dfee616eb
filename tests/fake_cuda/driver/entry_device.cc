// Entry points about the driver, its devices and their contexts.

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "fake_cuda/driver/limits.h"
#include "fake_cuda/driver/state.h"

using namespace fake_cuda;
namespace cuda = vyre::backend::cuda;

FAKE_CUDA_ENTRY cuInit(unsigned flags) {
  return call_of("cuInit", false, [&](State& all) -> int {
    if (flags != 0) return kInvalidValue;
    if (wished_devices() <= 0) return kNoDevice;
    all.initialized = true;
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuDriverGetVersion(int* version) {
  return call_of("cuDriverGetVersion", false, [&](State&) -> int {
    if (version == nullptr) return kInvalidValue;
    *version = wished_version();
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuGetErrorName(int error, const char** name) {
  return call_of("cuGetErrorName", false, [&](State&) -> int {
    if (name == nullptr) return kInvalidValue;
    *name = name_of(error);
    return *name != nullptr ? kSuccess : kInvalidValue;
  });
}

FAKE_CUDA_ENTRY cuDeviceGetCount(int* count) {
  return call_of("cuDeviceGetCount", true, [&](State&) -> int {
    if (count == nullptr) return kInvalidValue;
    *count = wished_devices();
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuDeviceGet(int* device, int ordinal) {
  return call_of("cuDeviceGet", true, [&](State&) -> int {
    if (device == nullptr) return kInvalidValue;
    if (!is_device(ordinal)) return kInvalidDevice;
    *device = ordinal;
    return kSuccess;
  });
}

namespace {

// As much of the text as fits, with its end.
int give_text(const std::string& text, char* to, int length) {
  if (to == nullptr || length <= 0) return kInvalidValue;
  const std::size_t count = std::min(text.size(), static_cast<std::size_t>(length) - 1);
  std::memcpy(to, text.data(), count);
  to[count] = '\0';
  return kSuccess;
}

}  // namespace

FAKE_CUDA_ENTRY cuDeviceGetName(char* name, int length, int device) {
  return call_of("cuDeviceGetName", true, [&](State&) -> int {
    if (!is_device(device)) return kInvalidDevice;
    return give_text("vyre PTX interpreter (no GPU)", name, length);
  });
}

FAKE_CUDA_ENTRY cuDeviceGetAttribute(int* value, int attribute, int device) {
  return call_of("cuDeviceGetAttribute", true, [&](State&) -> int {
    if (!is_device(device)) return kInvalidDevice;
    const auto found = device_attribute(attribute, device);
    if (value == nullptr || !found) return kInvalidValue;
    *value = *found;
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  return call_of("cuDeviceTotalMem_v2", true, [&](State&) -> int {
    if (!is_device(device)) return kInvalidDevice;
    if (bytes == nullptr) return kInvalidValue;
    *bytes = wished_memory();
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuDeviceGetUuid(cuda::DriverUuid* uuid, int device) {
  return call_of("cuDeviceGetUuid", true, [&](State&) -> int {
    if (!is_device(device)) return kInvalidDevice;
    if (uuid == nullptr) return kInvalidValue;
    constexpr std::array<unsigned char, 16> kUuid{'v', 'y', 'r', 'e', ' ', 'P', 'T', 'X',
                                                  ' ', 'n', 'o', ' ', 'G', 'P', 'U', 0};
    uuid->bytes = kUuid;
    uuid->bytes[15] = static_cast<unsigned char>(device);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuDeviceGetPCIBusId(char* id, int length, int device) {
  return call_of("cuDeviceGetPCIBusId", true, [&](State&) -> int {
    if (!is_device(device)) return kInvalidDevice;
    constexpr const char* kDigits = "0123456789ABCDEF";
    return give_text(std::string("0000:F") + kDigits[device & 15] + ":00.0", id, length);
  });
}

FAKE_CUDA_ENTRY cuDevicePrimaryCtxRetain(cuda::DriverContext* context, int device) {
  return call_of("cuDevicePrimaryCtxRetain", true, [&](State& all) -> int {
    if (!is_device(device)) return kInvalidDevice;
    if (context == nullptr) return kInvalidValue;
    auto& primary = all.primary[device];
    if (primary == nullptr) primary = std::make_unique<Context>();
    primary->device = device;
    ++primary->references;
    *context = reinterpret_cast<cuda::DriverContext>(primary.get());
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuDevicePrimaryCtxRelease_v2(int device) {
  return call_of("cuDevicePrimaryCtxRelease_v2", true, [&](State& all) -> int {
    if (!is_device(device)) return kInvalidDevice;
    const auto found = all.primary.find(device);
    if (found == all.primary.end()) return kInvalidContext;
    if (--found->second->references == 0) all.primary.erase(found);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuCtxSetCurrent(cuda::DriverContext context) {
  return call_of("cuCtxSetCurrent", true, [&](State& all) -> int {
    auto* wanted = reinterpret_cast<Context*>(context);
    if (wanted != nullptr && !all.knows(wanted)) return kInvalidContext;
    current_context() = wanted;
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuCtxGetCurrent(cuda::DriverContext* context) {
  return call_of("cuCtxGetCurrent", true, [&](State&) -> int {
    if (context == nullptr) return kInvalidValue;
    *context = reinterpret_cast<cuda::DriverContext>(current_context());
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuCtxGetDevice(int* device) {
  return call_of("cuCtxGetDevice", true, [&](State& all) -> int {
    if (device == nullptr) return kInvalidValue;
    if (current_context() == nullptr) return kInvalidContext;
    if (!all.knows(current_context())) return kContextIsDestroyed;
    *device = current_context()->device;
    return kSuccess;
  });
}
