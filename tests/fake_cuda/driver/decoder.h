// Decoder: the statements of a function to instructions.
//
// Each group of opcodes has a decode function. Such a function takes from an Opcode the modifiers
// that it knows; one that is left makes the opcode unknown, so that no modifier is read over.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fake_cuda/driver/instruction.h"
#include "fake_cuda/driver/result.h"

namespace fake_cuda {

// "ld.global.v2.f32" in parts.
struct Opcode {
  explicit Opcode(std::string_view text);

  bool take(std::string_view modifier);  // whether it was there
  std::optional<Type> take_type();       // the first
  std::optional<Space> take_space();
  void take_all(std::initializer_list<std::string_view> harmless);
  void take_prefixed(std::string_view prefix);

  std::string_view mnemonic;
  std::vector<std::string_view> modifiers;
};

// Where things are for one kernel.
struct Layout {
  std::map<const Variable*, std::uint64_t> addresses;  // .global, .const, .shared
  std::map<std::string, std::uint32_t> callees;        // Kernel::functions by name
  std::vector<const Function*> functions;
};

class Decoder {
 public:
  Decoder(const Layout& layout, const Function& function, Code& code)
      : layout_(layout), function_(function), code_(code) {}

  Result<void> run();

  const Layout& layout() const { return layout_; }
  Code& code() { return code_; }

  // The slot of a value; a number gets a slot of its own. `type` is what a float is converted to.
  Result<std::uint32_t> value(const Operand& operand, Type type = Type::kNone);
  Result<std::uint32_t> target(const Operand& operand) const;
  // Fills a, bits and narrow.
  Result<void> address(const Operand& operand, Instruction& at);
  // Fills list and count: of values, or of targets.
  Result<void> list(const Operand& operand, Type type, bool targets, Instruction& at);
  Result<std::uint32_t> label(const Statement& statement, const std::string& name) const;
  Result<std::vector<std::uint32_t>> branch_table(const Statement& statement,
                                                  const std::string& name) const;
  std::uint32_t constant(std::uint64_t bits);

 private:
  Result<Instruction> decode(const Statement& statement);
  Result<std::uint32_t> address_of(const Variable& variable, std::uint64_t plus);
  std::uint32_t new_slot(std::uint64_t initial);

  const Layout& layout_;
  const Function& function_;
  Code& code_;
  std::map<std::uint64_t, std::uint32_t> constants_;
};

// Fails unless the statement has this many operands.
Result<void> expect_operands(const Statement& statement, std::size_t least, std::size_t most);

// Decode functions. A false result: the opcode is not of this group.
Result<bool> decode_arithmetic(Decoder& decoder, const Statement& statement, Opcode opcode,
                               Instruction& at);
Result<bool> decode_choice(Decoder& decoder, const Statement& statement, Opcode& opcode,
                           Instruction& at);
Result<bool> decode_memory(Decoder& decoder, const Statement& statement, Opcode& opcode,
                           Instruction& at);
Result<bool> decode_move(Decoder& decoder, const Statement& statement, Opcode& opcode,
                         Instruction& at);
Result<bool> decode_control(Decoder& decoder, const Statement& statement, Opcode& opcode,
                            Instruction& at);
Result<bool> decode_warp(Decoder& decoder, const Statement& statement, Opcode& opcode,
                         Instruction& at);

}  // namespace fake_cuda
