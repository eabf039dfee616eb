#include "fake_cuda/driver/errors.h"

#include <array>

namespace fake_cuda {
namespace {

struct ErrorRow {
  int error;
  const char* name;
};

constexpr std::array kErrors{
    ErrorRow{kSuccess, "CUDA_SUCCESS"},
    ErrorRow{kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
    ErrorRow{kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
    ErrorRow{kNotInitialized, "CUDA_ERROR_NOT_INITIALIZED"},
    ErrorRow{kDeinitialized, "CUDA_ERROR_DEINITIALIZED"},
    ErrorRow{kNoDevice, "CUDA_ERROR_NO_DEVICE"},
    ErrorRow{kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE"},
    ErrorRow{kInvalidImage, "CUDA_ERROR_INVALID_IMAGE"},
    ErrorRow{kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT"},
    ErrorRow{kNoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    ErrorRow{214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
    ErrorRow{kInvalidPtx, "CUDA_ERROR_INVALID_PTX"},
    ErrorRow{221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"},
    ErrorRow{kUnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    ErrorRow{304, "CUDA_ERROR_OPERATING_SYSTEM"},
    ErrorRow{kInvalidHandle, "CUDA_ERROR_INVALID_HANDLE"},
    ErrorRow{kNotFound, "CUDA_ERROR_NOT_FOUND"},
    ErrorRow{kNotReady, "CUDA_ERROR_NOT_READY"},
    ErrorRow{kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    ErrorRow{kOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    ErrorRow{kTimeout, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    ErrorRow{kContextIsDestroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED"},
    ErrorRow{kAssert, "CUDA_ERROR_ASSERT"},
    ErrorRow{kIllegalInstruction, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    ErrorRow{kMisalignedAddress, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    ErrorRow{kInvalidAddressSpace, "CUDA_ERROR_INVALID_ADDRESS_SPACE"},
    ErrorRow{718, "CUDA_ERROR_INVALID_PC"},
    ErrorRow{kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED"},
    ErrorRow{803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
    ErrorRow{kUnknown, "CUDA_ERROR_UNKNOWN"},
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

bool is_sticky(int error) {
  return error == 214 || error == kIllegalAddress || error == kTimeout ||
         (error >= kAssert && error <= kLaunchFailed && error != 711 && error != 712 &&
          error != 713);
}

}  // namespace fake_cuda
