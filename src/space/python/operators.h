// Python's operators on cells. On failure they return false, and evaluation.problem says why.

#pragma once

#include <cstdint>
#include <string_view>

#include "space/python/evaluation.h"

namespace vyre::space::detail {

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
bool binary(Evaluation& evaluation, Operator op, const Cell& left, const Cell& right, Cell& out);

bool unary(Evaluation& evaluation, Operator op, const Cell& operand, Cell& out);

// Python's ==; fails only when the steps do not suffice.
bool equals(Evaluation& evaluation, const Cell& left, const Cell& right, bool& out);

// The four orderings, of numbers, texts and sequences of the same kind.
bool order(Evaluation& evaluation, Operator op, const Cell& left, const Cell& right, bool& out);

}  // namespace vyre::space::detail
