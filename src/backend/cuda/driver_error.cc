#include "backend/cuda/driver_error.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace vyre::backend::cuda {
namespace {

struct KnownCode {
  int code;
  std::string_view cuda;
  std::string_view hip;
  std::string_view remedy = "";
  bool is_sticky = false;
  ErrorKind kind = ErrorKind::backend;
};

constexpr std::string_view kUseLessMemory = "use smaller buffers, or free some";
constexpr std::string_view kTooNewForDriver =
    "install a newer driver, or the NVRTC of the driver's CUDA version";
constexpr std::string_view kOutsideBuffers =
    "a kernel read or wrote outside its buffers: correct it, and start this process again";
constexpr std::string_view kStartAgain =
    "a kernel failed and the device is lost to this process: start it again";
constexpr std::string_view kUseSmaller = "use a smaller workgroup, or fewer registers";
constexpr std::string_view kCheckDevice =
    "check that the machine has a device and that this user may open it";
constexpr std::string_view kDriverInstall = "install the driver again, or restart the machine";

constexpr std::array kKnownCodes{
    KnownCode{1, "CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue"},
    KnownCode{2, "CUDA_ERROR_OUT_OF_MEMORY", "hipErrorOutOfMemory", kUseLessMemory},
    KnownCode{3, "CUDA_ERROR_NOT_INITIALIZED", "hipErrorNotInitialized"},
    KnownCode{4, "CUDA_ERROR_DEINITIALIZED", "hipErrorDeinitialized",
              "the process ends: use no device any more", true},
    KnownCode{34, "CUDA_ERROR_STUB_LIBRARY", "",
              "the toolkit's stub of libcuda.so.1 was found: let the driver's come first"},
    KnownCode{46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "",
              "another process has the device to itself: wait, or choose another device"},
    KnownCode{100, "CUDA_ERROR_NO_DEVICE", "hipErrorNoDevice", kCheckDevice},
    KnownCode{101, "CUDA_ERROR_INVALID_DEVICE", "hipErrorInvalidDevice", kCheckDevice},
    KnownCode{200, "CUDA_ERROR_INVALID_IMAGE", "hipErrorInvalidImage"},
    KnownCode{201, "CUDA_ERROR_INVALID_CONTEXT", "hipErrorInvalidContext",
              "the context was destroyed: keep it as long as the device is used"},
    KnownCode{209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "hipErrorNoBinaryForGpu", kTooNewForDriver},
    KnownCode{214, "CUDA_ERROR_ECC_UNCORRECTABLE", "hipErrorECCNotCorrectable",
              "the device's memory is damaged: reset it and start this process again", true},
    KnownCode{218, "CUDA_ERROR_INVALID_PTX", "hipErrorInvalidKernelFile"},
    KnownCode{222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "", kTooNewForDriver},
    KnownCode{300, "CUDA_ERROR_INVALID_SOURCE", "hipErrorInvalidSource"},
    KnownCode{400, "CUDA_ERROR_INVALID_HANDLE", "hipErrorInvalidHandle"},
    KnownCode{500, "CUDA_ERROR_NOT_FOUND", "hipErrorNotFound"},
    KnownCode{600, "CUDA_ERROR_NOT_READY", "hipErrorNotReady"},
    KnownCode{700, "CUDA_ERROR_ILLEGAL_ADDRESS", "hipErrorIllegalAddress", kOutsideBuffers, true},
    KnownCode{701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "hipErrorLaunchOutOfResources",
              kUseSmaller, false, ErrorKind::rejected},
    KnownCode{702, "CUDA_ERROR_LAUNCH_TIMEOUT", "hipErrorLaunchTimeOut",
              "a kernel ran longer than the display allows: make it shorter, and start this "
              "process again",
              true},
    KnownCode{709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "hipErrorContextIsDestroyed",
              "keep the context as long as the device is used", true},
    KnownCode{710, "CUDA_ERROR_ASSERT", "hipErrorAssert", kStartAgain, true},
    KnownCode{714, "CUDA_ERROR_HARDWARE_STACK_ERROR", "", kStartAgain, true},
    KnownCode{715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "", kStartAgain, true},
    KnownCode{716, "CUDA_ERROR_MISALIGNED_ADDRESS", "", kStartAgain, true},
    KnownCode{717, "CUDA_ERROR_INVALID_ADDRESS_SPACE", "", kStartAgain, true},
    KnownCode{718, "CUDA_ERROR_INVALID_PC", "", kStartAgain, true},
    KnownCode{719, "CUDA_ERROR_LAUNCH_FAILED", "hipErrorLaunchFailure", kStartAgain, true},
    KnownCode{801, "CUDA_ERROR_NOT_SUPPORTED", "hipErrorNotSupported"},
    KnownCode{803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "", kDriverInstall},
    KnownCode{804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "", kDriverInstall},
    KnownCode{999, "CUDA_ERROR_UNKNOWN", "hipErrorUnknown", kDriverInstall},
};

const KnownCode* find_code(int code) {
  const KnownCode* it = std::ranges::find(kKnownCodes, code, &KnownCode::code);
  return it == kKnownCodes.end() ? nullptr : it;
}

}  // namespace

std::string name_of_code(const Driver& driver, int code) {
  const KnownCode* known = find_code(code);
  const bool is_cuda = driver.api == Api::cuda;
  std::string name;
  if (known != nullptr) name = is_cuda ? known->cuda : known->hip;
  const char* given = nullptr;
  if (name.empty() && driver.call.error_name != nullptr &&
      driver.call.error_name(code, &given) == 0 && given != nullptr) {
    name = escaped(given);
  }
  if (name.empty()) name = is_cuda ? "CUDA error" : "HIP error";
  return fmt::format("{} ({})", name, code);
}

bool is_sticky(int code) {
  const KnownCode* known = find_code(code);
  return known != nullptr && known->is_sticky;
}

std::unexpected<Error> driver_error(const Driver& driver, int code, std::string_view what) {
  const KnownCode* known = find_code(code);
  const bool has_remedy = known != nullptr && !known->remedy.empty();
  return fail(known == nullptr ? ErrorKind::backend : known->kind, "", "{}: {}{}{}", what,
              name_of_code(driver, code), has_remedy ? "; " : "", has_remedy ? known->remedy : "");
}

}  // namespace vyre::backend::cuda
