// A random program with inputs, and with the outputs that the interpreter gives for them.
//
// In these programs no integer depends on a float, so integers must agree to the bit on every
// device. Half of the programs use only float operations that round the same everywhere: their
// floats must agree too, except for zeros, denormals and NaNs. The conformance suite tests how far
// inexact operations may differ, one at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/plan.h"
#include "emit/c_like/translation_unit.h"
#include "vyre/call.h"
#include "vyre/program.h"

namespace vyre::testing {

struct RandomCase {
  std::uint64_t seed = 0;
  bool exact_floats = false;
  ir::Sequence sequence;  // of one program
  backend::Plan plan;
  std::vector<std::vector<std::byte>> inputs;
  Outputs expected;
  std::string entry;

  const ir::Program& program() const { return sequence.def().programs[0]; }
  const backend::StepPlan& step() const { return plan.steps[0]; }
  // For an emitter. Refers to this case.
  emit::KernelSource kernel() const;
};

Expected<RandomCase> make_random_case(std::uint64_t seed);

// A value that a kernel takes behind its buffers, as emit/c_like/translation_unit.h orders them.
struct PassedScalar {
  std::uint64_t bits = 0;
  std::size_t bytes = 0;
};
std::vector<PassedScalar> scalars_of(const RandomCase& c);

// The content of each buffer before the launch. Memory behind each is filled with a mark. A read
// there gives a value that is not 0, and a write there is noticed.
std::vector<std::vector<std::byte>> marked_buffers(const RandomCase& c);

// What is wrong with the buffers after the launch; empty: nothing.
std::string mistake_in(const RandomCase& c, const std::vector<std::vector<std::byte>>& buffers);

}  // namespace vyre::testing
