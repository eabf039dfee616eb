#include "fake_cuda/driver/decoder.h"

#include <algorithm>
#include <array>
#include <bit>

#include "fake_cuda/driver/execute_control.h"
#include "fake_cuda/driver/special_registers.h"

namespace fake_cuda {

Opcode::Opcode(std::string_view text) {
  const std::size_t first = text.find('.');
  mnemonic = text.substr(0, first);
  while (text.find('.') != std::string_view::npos) {
    text.remove_prefix(text.find('.') + 1);
    modifiers.push_back(text.substr(0, text.find('.')));
  }
}

bool Opcode::take(std::string_view modifier) {
  const auto found = std::ranges::find(modifiers, modifier);
  if (found == modifiers.end()) return false;
  modifiers.erase(found);
  return true;
}

std::optional<Type> Opcode::take_type() {
  for (auto word = modifiers.begin(); word != modifiers.end(); ++word) {
    if (const auto type = type_of(*word)) {
      modifiers.erase(word);
      return type;
    }
  }
  return std::nullopt;
}

std::optional<Space> Opcode::take_space() {
  for (auto word = modifiers.begin(); word != modifiers.end(); ++word) {
    if (const auto space = space_of(*word)) {
      modifiers.erase(word);
      return space;
    }
  }
  return std::nullopt;
}

void Opcode::take_all(std::initializer_list<std::string_view> harmless) {
  for (const std::string_view word : harmless) take(word);
}

void Opcode::take_prefixed(std::string_view prefix) {
  std::erase_if(modifiers, [prefix](std::string_view word) { return word.starts_with(prefix); });
}

Result<void> expect_operands(const Statement& statement, std::size_t least, std::size_t most) {
  const std::size_t count = statement.operands.size();
  if (count >= least && count <= most) return {};
  return wrong_at(statement.line,
                  "'" + statement.opcode + "' has " + std::to_string(count) + " operands");
}

Result<void> Decoder::run() {
  code_.function = &function_;
  code_.image.assign(kFirstRegister + function_.registers, kPoisonWord);
  for (const Statement& statement : function_.statements) {
    Result<Instruction> at = decode(statement);
    if (!at && at.error().starts_with("line ")) return std::unexpected(std::move(at).error());
    if (!at) return wrong_at(statement.line, "'" + statement.opcode + "': " + at.error());
    code_.instructions.push_back(*at);
  }
  Instruction end;  // a body may end without ret
  end.run = give_back;
  code_.instructions.push_back(end);
  return {};
}

Result<Instruction> Decoder::decode(const Statement& statement) {
  constexpr std::array kGroups{decode_choice, decode_memory, decode_move, decode_control,
                               decode_warp};
  Instruction at;
  at.line = statement.line;
  at.predicate = statement.predicate;
  at.negated = statement.negated;
  Opcode opcode(statement.opcode);
  bool known = false;
  for (const auto& group : kGroups) {
    if (known) break;
    FAKE_CUDA_TRY(known, group(*this, statement, opcode, at));
  }
  if (known && opcode.modifiers.empty() && at.run != nullptr) return at;
  if (!known) {
    FAKE_CUDA_TRY(known, decode_arithmetic(*this, statement, opcode, at));
    if (known) return at;
  }
  return wrong_at(statement.line, "unknown opcode '" + statement.opcode + "'");
}

std::uint32_t Decoder::new_slot(std::uint64_t initial) {
  code_.image.push_back(initial);
  return static_cast<std::uint32_t>(code_.image.size() - 1);
}

std::uint32_t Decoder::constant(std::uint64_t bits) {
  const auto [known, is_new] = constants_.try_emplace(bits, 0);
  if (is_new) known->second = new_slot(bits);
  return known->second;
}

Result<std::uint32_t> Decoder::value(const Operand& operand, Type type) {
  switch (operand.kind) {
    case OperandKind::kRegister:
      if (operand.slot == kTrash || (operand.slot >= kClock && operand.slot <= kGlobaltimer)) {
        return std::unexpected(std::string("a register that cannot be read here"));
      }
      return operand.slot;
    case OperandKind::kImmediate:
      if (operand.type == Type::kF64 && type == Type::kF32) {
        const auto single = static_cast<float>(std::bit_cast<double>(operand.bits));
        return constant(std::bit_cast<std::uint32_t>(single));
      }
      if (operand.type == Type::kF32 && type == Type::kF64) {
        const double wide =
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits)));
        return constant(std::bit_cast<std::uint64_t>(wide));
      }
      return constant(operand.bits);
    case OperandKind::kVariable:
      return address_of(*operand.variable, operand.bits);
    case OperandKind::kName:
      return std::unexpected("unknown name '" + operand.name + "'");
    default:
      return std::unexpected(std::string("an operand that is no value"));
  }
}

Result<std::uint32_t> Decoder::address_of(const Variable& variable, std::uint64_t plus) {
  if (variable.space == Space::kParam) return constant(variable.offset + plus);
  if (variable.space == Space::kLocal) {
    const std::uint32_t slot = new_slot(0);
    code_.locals.push_back({slot, variable.offset + plus});
    return slot;
  }
  const auto found = layout_.addresses.find(&variable);
  if (found == layout_.addresses.end()) {
    return std::unexpected("'" + variable.name + "' is in no memory");
  }
  return constant(found->second + plus);
}

Result<std::uint32_t> Decoder::target(const Operand& operand) const {
  if (operand.kind == OperandKind::kRegister &&
      (operand.slot >= kFirstRegister || operand.slot == kTrash)) {
    return operand.slot;
  }
  return std::unexpected(std::string("a result that is no register"));
}

Result<void> Decoder::address(const Operand& operand, Instruction& at) {
  if (operand.kind != OperandKind::kAddress) {
    return std::unexpected(std::string("an operand that is no address"));
  }
  if (operand.slot != kNoSlot) {
    if (operand.slot < kFirstRegister) return std::unexpected(std::string("no address"));
    at.a = operand.slot;
    at.bits = operand.bits;
    at.narrow = bytes_of(operand.type) == 4;
  } else if (operand.variable != nullptr) {
    FAKE_CUDA_TRY(at.a, address_of(*operand.variable, operand.bits));
  } else {
    at.a = constant(operand.bits);
  }
  return {};
}

Result<void> Decoder::list(const Operand& operand, Type type, bool targets, Instruction& at) {
  at.list = static_cast<std::uint32_t>(code_.lists.size());
  at.count = static_cast<std::uint32_t>(operand.elements.size());
  for (const Operand& element : operand.elements) {
    FAKE_CUDA_TRY(const std::uint32_t slot, targets ? target(element) : value(element, type));
    code_.lists.push_back(slot);
  }
  return {};
}

Result<std::uint32_t> Decoder::label(const Statement& statement, const std::string& name) const {
  for (std::uint32_t scope = statement.scope;; scope = function_.scope_parents[scope]) {
    if (const auto found = function_.labels.find({scope, name}); found != function_.labels.end()) {
      return found->second;
    }
    if (scope == 0) return std::unexpected("unknown label '" + name + "'");
  }
}

Result<std::vector<std::uint32_t>> Decoder::branch_table(const Statement& statement,
                                                         const std::string& name) const {
  std::uint32_t scope = statement.scope;
  auto found = function_.branch_targets.find({scope, name});
  while (found == function_.branch_targets.end() && scope != 0) {
    scope = function_.scope_parents[scope];
    found = function_.branch_targets.find({scope, name});
  }
  if (found == function_.branch_targets.end()) {
    return std::unexpected("unknown table of branches '" + name + "'");
  }
  std::vector<std::uint32_t> table;
  for (const std::string& target : found->second) {
    FAKE_CUDA_TRY(const std::uint32_t at, label(statement, target));
    table.push_back(at);
  }
  return table;
}

}  // namespace fake_cuda
