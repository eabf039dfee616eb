// Module: a PTX text as data. Names are resolved: operands are registers, variables and constants;
// only labels are still names.

#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fake_cuda/driver/ptx_types.h"

namespace fake_cuda {

inline constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

// An address that stands in a variable's initial value.
struct Relocation {
  std::uint64_t at = 0;  // byte of the variable
  std::string symbol;
  std::uint64_t addend = 0;
};

struct Variable {
  std::string name;
  Space space = Space::kGlobal;
  Type type = Type::kB8;
  std::uint32_t align = 1;
  std::uint64_t bytes = 0;
  bool external = false;              // in .shared: memory whose size the launch gives
  std::vector<std::uint8_t> initial;  // empty, or `bytes` long
  std::vector<Relocation> relocations;
  std::uint64_t offset = 0;  // .param and .local: in its function's memory of that space
};

enum class OperandKind : std::uint8_t {
  kRegister,   // slot, type, negated
  kImmediate,  // bits, type: kF32, kF64, or kNone for an integer
  kVariable,   // variable, bits: what is added to its address
  kAddress,    // slot or variable or neither, bits: what is added
  kVector,     // elements; also the lists in parentheses of a call
  kPair,       // elements: p|q
  kName,       // name: a label or a function
};

struct Operand {
  OperandKind kind = OperandKind::kName;
  Type type = Type::kNone;
  bool negated = false;
  std::uint32_t slot = kNoSlot;
  std::uint64_t bits = 0;
  const Variable* variable = nullptr;
  std::string name;
  std::vector<Operand> elements;
};

struct Statement {
  std::string opcode;  // with its modifiers
  std::vector<Operand> operands;
  std::uint32_t predicate = kNoSlot;
  bool negated = false;
  std::uint32_t scope = 0;
  int line = 0;
};

struct Function {
  std::string name;
  bool entry = false;
  bool defined = false;  // has a body
  int line = 0;
  std::deque<Variable> variables;  // parameters, results, and what the body declares
  std::vector<const Variable*> parameters;
  std::vector<const Variable*> results;
  std::uint64_t param_bytes = 0;
  std::uint64_t local_bytes = 0;
  std::uint32_t registers = 0;                      // slots from kFirstRegister on
  std::array<std::uint32_t, 3> max_threads{};       // .maxntid; 0: not said
  std::array<std::uint32_t, 3> required_threads{};  // .reqntid; 0: not said
  std::vector<Statement> statements;
  std::vector<std::uint32_t> scope_parents{0};                            // scope 0 is its own
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> labels;  // to statements
  std::map<std::pair<std::uint32_t, std::string>, std::vector<std::string>> branch_targets;
};

struct Module {
  std::uint32_t version = 0;  // 10 * major + minor
  std::uint32_t target = 0;   // 80 for sm_80
  std::deque<Variable> variables;
  std::deque<Function> functions;

  const Function* find_function(const std::string& name) const {
    for (const Function& function : functions) {
      if (function.name == name) return &function;
    }
    return nullptr;
  }
};

inline constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

}  // namespace fake_cuda
