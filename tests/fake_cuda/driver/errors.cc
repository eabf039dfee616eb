#include "fake_cuda/driver/errors.h"

#include <array>

namespace fake_cuda {
namespace {

struct ErrorRow {
  int error;
  const char* name;
  const char* text;
};

constexpr std::array kErrors{
    ErrorRow{kSuccess, "CUDA_SUCCESS", "no error"},
    ErrorRow{kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    ErrorRow{kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    ErrorRow{kNotInitialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    ErrorRow{kDeinitialized, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    ErrorRow{kNoDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    ErrorRow{kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    ErrorRow{kInvalidImage, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    ErrorRow{kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    ErrorRow{kNoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU",
             "no kernel image is available for execution on the device"},
    ErrorRow{214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    ErrorRow{kInvalidPtx, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    ErrorRow{221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"},
    ErrorRow{kUnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
             "the provided PTX was compiled with an unsupported toolchain."},
    ErrorRow{304, "CUDA_ERROR_OPERATING_SYSTEM",
             "OS call failed or operation not supported on this OS"},
    ErrorRow{kInvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    ErrorRow{kNotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    ErrorRow{kNotReady, "CUDA_ERROR_NOT_READY", "device not ready"},
    ErrorRow{kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS",
             "an illegal memory access was encountered"},
    ErrorRow{kOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
             "too many resources requested for launch"},
    ErrorRow{kTimeout, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    ErrorRow{kContextIsDestroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    ErrorRow{kAssert, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    ErrorRow{kIllegalInstruction, "CUDA_ERROR_ILLEGAL_INSTRUCTION",
             "an illegal instruction was encountered"},
    ErrorRow{kMisalignedAddress, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    ErrorRow{kInvalidAddressSpace, "CUDA_ERROR_INVALID_ADDRESS_SPACE",
             "operation not supported on global/shared address space"},
    ErrorRow{718, "CUDA_ERROR_INVALID_PC", "invalid program counter"},
    ErrorRow{kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    ErrorRow{803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
             "system has unsupported display driver / cuda driver combination"},
    ErrorRow{kUnknown, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

const ErrorRow* row_of(int error) {
  for (const ErrorRow& row : kErrors) {
    if (row.error == error) return &row;
  }
  return nullptr;
}

}  // namespace

const char* name_of(int error) {
  const ErrorRow* row = row_of(error);
  return row != nullptr ? row->name : nullptr;
}

const char* text_of(int error) {
  const ErrorRow* row = row_of(error);
  return row != nullptr ? row->text : nullptr;
}

bool is_sticky(int error) {
  return error == 214 || error == kIllegalAddress || error == kTimeout ||
         (error >= kAssert && error <= kLaunchFailed && error != 711 && error != 712 &&
          error != 713);
}

}  // namespace fake_cuda
