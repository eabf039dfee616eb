// The one entry point that NVRTC calls and the backend does not.
//
// NVRTC 13.4 looks for a library that is loaded as libcuda.so.1 and asks it for tables of functions
// of its own. It does not expect to get none: without this function, or without a table, it reads
// from address 0. A table begins with its size in bytes, and NVRTC uses no function behind its end.

#include <cstdint>

#include "fake_cuda/driver/state.h"

FAKE_CUDA_ENTRY cuGetExportTable(const void** table, const void* /*id*/) {
  static constexpr std::uint64_t kNoFunctions = sizeof(std::uint64_t);
  *table = &kNoFunctions;
  return 0;
}
