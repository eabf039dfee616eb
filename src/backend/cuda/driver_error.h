// The driver's error codes as errors that say what to do.

#pragma once

#include <string>
#include <string_view>

#include "backend/cuda/driver.h"

namespace vyre::backend::cuda {

// Codes that the backend acts upon; the same numbers in CUDA and HIP.
enum class Code : std::uint16_t {
  success = 0,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  no_binary_for_gpu = 209,
  unsupported_ptx = 222,
  not_found = 500,
  not_ready = 600,
};
inline bool is(int code, Code known) { return code == static_cast<int>(known); }

// "CUDA_ERROR_OUT_OF_MEMORY (2)".
std::string name_of_code(const Driver& driver, int code);

// After such an error every call of this process fails: the device is lost to it.
bool is_sticky(int code);

// An error that says what failed, names the code, and says what to do where we know it. `rejected`
// if the device refuses the kernel, `backend` otherwise.
std::unexpected<Error> driver_error(const Driver& driver, int code, std::string_view what);

}  // namespace vyre::backend::cuda
