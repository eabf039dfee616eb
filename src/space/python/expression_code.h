// ExpressionCode: an expression as code for a small stack machine.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "space/python/ast.h"
#include "space/python/builtins.h"
#include "space/python/cell.h"
#include "space/python/operators.h"
#include "vyre/space.h"

namespace vyre::space::detail {

enum class Opcode : std::uint8_t {
  constant,         // push constants[argument]
  load,             // push the value of name number `argument`
  load_local,       // push locals[argument]
  unary,            // `detail` is the Operator
  binary,           // `detail` is the Operator
  compare_or_exit,  // of a chain a < b < c: if a < b keep b, else leave False and jump
  logical_not,
  jump,
  jump_if_false,  // pops
  keep_if_false,  // "and": jumps with the value kept if it is false, else pops it
  keep_if_true,   // "or": likewise
  call,           // `detail` is the Function; `argument` values are on the stack
  make_list,      // of `argument` values
  make_tuple,
  begin_list,   // locals[argument] = []
  append,       // pops onto locals[argument]
  begin_loop,   // pops a sequence into locals[argument], its position into the next local
  next_or_exit  // puts the next element into locals[argument + 2] and skips the following
                // instruction, a jump to the loop's end
};

struct Instruction {
  Opcode opcode = Opcode::constant;
  std::uint8_t detail = 0;
  std::uint32_t argument = 0;
};

struct ExpressionCode {
  std::string text;                // the whole expression, for messages
  std::vector<std::string> names;  // `load` refers to these by number
  std::vector<std::string> uses;
  std::vector<Instruction> instructions;
  std::vector<Range> places;  // of each instruction's piece of the text
  std::vector<Cell> constants;
  Pool pool;  // owns what the constants point to
  std::size_t stack_size = 0;
  std::size_t locals = 0;
  ExpressionLimits limits;
};

}  // namespace vyre::space::detail
