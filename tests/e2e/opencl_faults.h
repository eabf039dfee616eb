// The environment for a command whose OpenCL fails: see preload/opencl_faults.cc.

#pragma once

#include <string>
#include <vector>

namespace vyre {

inline std::vector<std::string> with_fault(const std::string& fault) {
  return {std::string("LD_PRELOAD=") + VYRE_OPENCL_FAULTS, "OPENCL_FAULT=" + fault,
          // The address sanitizer wants to be the first library.
          "ASAN_OPTIONS=verify_asan_link_order=0"};
}

}  // namespace vyre
