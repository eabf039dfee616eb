// The error codes of CUDA's driver that the interpreter gives.

#pragma once

namespace fake_cuda {

enum Error : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kDeinitialized = 4,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kInvalidPtx = 218,
  kUnsupportedPtxVersion = 222,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kOutOfResources = 701,
  kTimeout = 702,
  kContextIsDestroyed = 709,
  kAssert = 710,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kInvalidAddressSpace = 717,
  kLaunchFailed = 719,
  kUnknown = 999,
};

const char* name_of(int error);  // "CUDA_ERROR_INVALID_VALUE"; null if there is none

// Whether every later call in the context fails with it, too.
bool is_sticky(int error);

}  // namespace fake_cuda
