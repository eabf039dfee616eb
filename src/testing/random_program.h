// Random valid programs: everything that the kernel language has, and the same result on every
// device.
//
// A program is a function of its seed and options. No two invocations touch the same element unless
// one of them only reads an input, a barrier lies between, or all of them use one commutative
// atomic. Loops are short. Give each shape a value up to about 1000, a scalar any value.

#pragma once

#include <cstdint>

#include "vyre/program.h"

namespace vyre::testing {

enum class Floats : std::uint8_t {
  none,
  exact,  // only operations that round the same everywhere: add, mul, fma, floor...
  all,    // sqrt, sin, pow... too: results differ by the device's error bounds
};

struct RandomOptions {
  Floats floats = Floats::all;
  bool floats_into_integers = false;  // comparisons and casts that make rounding visible elsewhere
  bool own_atomics = false;           // exchange and compare_exchange too, on an invocation's own
                                      // elements, with the old value used
  bool barriers = true;
  std::uint32_t max_stmts = 24;  // about
  std::uint32_t max_stmt_depth = 3;
  std::uint32_t max_expr_depth = 4;
};

ir::Program random_program(std::uint64_t seed, const RandomOptions& options = {});

}  // namespace vyre::testing
