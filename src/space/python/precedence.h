// Python's infix operators: one table for those that compute, one for those that compare.

#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "space/python/operators.h"

namespace vyre::space::detail {

struct PythonInfix {
  std::string_view spelling;
  Operator op;
  int strength;  // higher binds tighter
};

inline constexpr std::array<PythonInfix, 11> kInfix = {{
    {"|", Operator::bit_or, 1},
    {"^", Operator::bit_xor, 2},
    {"&", Operator::bit_and, 3},
    {"<<", Operator::shift_left, 4},
    {">>", Operator::shift_right, 4},
    {"+", Operator::add, 5},
    {"-", Operator::subtract, 5},
    {"*", Operator::multiply, 6},
    {"/", Operator::divide, 6},
    {"//", Operator::floor_divide, 6},
    {"%", Operator::modulo, 6},
}};

inline constexpr std::array<std::pair<std::string_view, Operator>, 7> kComparisons = {{
    {"<", Operator::less},
    {"<=", Operator::less_equal},
    {">", Operator::greater},
    {">=", Operator::greater_equal},
    {"==", Operator::equal},
    {"!=", Operator::not_equal},
    {"in", Operator::in},
}};

}  // namespace vyre::space::detail
