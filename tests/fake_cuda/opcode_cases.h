// One instruction, its inputs, and the bits that it must give.

#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace vyre::fake_cuda_test {

// The instruction reads a, b and c from the registers numbered 1, 2 and 3 of any kind (%rs1, %r2,
// %rd3, %f1, %fd2; %p1 is whether a is not 0) and writes the register numbered 4 of one kind.
struct OpcodeCase {
  const char* text;
  std::uint64_t a, b, c;
  std::uint64_t result;
};

// A kernel named `name` that runs the case: parameters are a pointer to the result, a, b and c.
std::string kernel_of(const OpcodeCase& tested, const std::string& name);

// Runs all of them in one module and compares.
void expect_results(std::span<const OpcodeCase> cases);

}  // namespace vyre::fake_cuda_test
