// Runtime: what one evaluation may use up and leaves behind. The operations on cells below are the
// exact meaning of Python's operators; on failure they return false and `problem` says why.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "space/cell.h"

namespace vyre::space::detail {

struct Runtime {
  explicit Runtime(std::uint64_t most_steps) : steps_left(most_steps) {}

  // Takes `count` steps off; false once there are none left.
  bool spend(std::uint64_t count);
  bool fail(std::string why) {
    problem = std::move(why);
    return false;
  }

  std::uint64_t steps_left;
  std::vector<Cell> cells;  // the machine's stack and locals, kept between evaluations
  Pool pool;
  std::string problem;
};

enum class Operator : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  in,
  not_in,
  negate,
  plus,
  invert,
};

// As written: "+", "not in".
std::string_view spelling(Operator op);

// For all of add .. not_in; `out` may be one of the operands.
bool binary(Runtime& runtime, Operator op, const Cell& left, const Cell& right, Cell& out);

bool unary(Runtime& runtime, Operator op, const Cell& operand, Cell& out);

// Python's ==; fails only when the steps do not suffice.
bool equals(Runtime& runtime, const Cell& left, const Cell& right, bool& out);

// The four orderings, of numbers, texts and sequences of the same kind.
bool order(Runtime& runtime, Operator op, const Cell& left, const Cell& right, bool& out);

// The parts of binary that have a file of their own. Both operands are integral, or both are
// numbers of which one is a float.
bool integer_operation(Runtime& runtime, Operator op, std::int64_t left, std::int64_t right,
                       Cell& out);
bool real_operation(Runtime& runtime, Operator op, double left, double right, Cell& out);

}  // namespace vyre::space::detail
