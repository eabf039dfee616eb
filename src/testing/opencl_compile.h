// OpenCL C compiled and run with the bare C API: for tests of the emitted code.
//
// The device that "opencl" opens, once per process; it is never closed.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vyre/error.h"

namespace vyre::testing {

bool has_opencl();

class OpenClProgram {
 public:
  // A scalar argument: `size` bytes of `bits`, from the low end.
  struct Scalar {
    std::uint64_t bits = 0;
    std::size_t size = 4;
  };

  // rejected, with the build log, if it does not compile.
  static Expected<std::unique_ptr<OpenClProgram>> compile(const std::string& source);
  ~OpenClProgram();
  OpenClProgram(const OpenClProgram&) = delete;
  OpenClProgram& operator=(const OpenClProgram&) = delete;

  // Buffers go in and come back; arguments are the buffers, then the scalars.
  Expected<void> run(const std::string& entry, std::span<std::vector<std::byte>> buffers,
                     std::span<const Scalar> scalars, const std::array<std::uint32_t, 3>& groups,
                     const std::array<std::uint32_t, 3>& workgroup);

 private:
  explicit OpenClProgram(void* program) : program_(program) {}
  void* program_;  // a cl_program; the header stays free of OpenCL's
};

}  // namespace vyre::testing
