// The text form's operators: one table for the printer and the parser.

#pragma once

#include <array>
#include <string_view>

#include "vyre/program.h"

namespace vyre::ir {

struct Infix {
  Op op;
  std::string_view token;
  int precedence;  // as in C: higher binds tighter; all are left associative
};

inline constexpr std::array kInfix = {
    Infix{Op::or_, "|", 1},  Infix{Op::xor_, "^", 2}, Infix{Op::and_, "&", 3},
    Infix{Op::eq, "==", 4},  Infix{Op::ne, "!=", 4},  Infix{Op::lt, "<", 5},
    Infix{Op::le, "<=", 5},  Infix{Op::gt, ">", 5},   Infix{Op::ge, ">=", 5},
    Infix{Op::shl, "<<", 6}, Infix{Op::shr, ">>", 6}, Infix{Op::add, "+", 7},
    Infix{Op::sub, "-", 7},  Infix{Op::mul, "*", 8},  Infix{Op::div, "/", 8},
    Infix{Op::mod, "%", 8},
};

inline constexpr int kLoosest = 1;
inline constexpr int kUnary = 9;
inline constexpr int kPostfix = 10;

constexpr const Infix* find_infix(Op op) {
  for (const Infix& infix : kInfix) {
    if (infix.op == op) return &infix;
  }
  return nullptr;
}

constexpr const Infix* find_infix(std::string_view token) {
  for (const Infix& infix : kInfix) {
    if (infix.token == token) return &infix;
  }
  return nullptr;
}

}  // namespace vyre::ir
