#include "fake_cuda/driver/ptx_operand.h"

#include "fake_cuda/driver/special_registers.h"

namespace fake_cuda {
namespace {

Operand immediate(std::uint64_t bits, Type type) {
  Operand operand;
  operand.kind = OperandKind::kImmediate;
  operand.bits = bits;
  operand.type = type;
  return operand;
}

}  // namespace

Result<Operand> OperandParser::one() {
  if (cursor_.take_if("{")) return list("}");
  if (cursor_.take_if("(")) return list(")");
  if (cursor_.take_if("[")) return address();
  if (cursor_.take_if("!")) {
    FAKE_CUDA_TRY(Operand operand, name());
    if (operand.kind != OperandKind::kRegister) {
      return wrong_at(cursor_.line(), "'!' must stand before a predicate");
    }
    operand.negated = true;
    return operand;
  }
  if (cursor_.peek().kind != TokenKind::kWord) return number();
  FAKE_CUDA_TRY(Operand operand, name());
  if (!cursor_.take_if("|")) return operand;
  Operand pair;
  pair.kind = OperandKind::kPair;
  FAKE_CUDA_TRY(Operand second, name());
  pair.elements = {std::move(operand), std::move(second)};
  return pair;
}

Result<Operand> OperandParser::list(std::string_view end) {
  if (++depth_ > 4) return wrong_at(cursor_.line(), "operands are nested too deeply");
  Operand vector;
  vector.kind = OperandKind::kVector;
  while (!cursor_.is(end)) {
    FAKE_CUDA_TRY(Operand element, one());
    vector.elements.push_back(std::move(element));
    if (!cursor_.take_if(",")) break;
  }
  --depth_;
  FAKE_CUDA_TRY_VOID(cursor_.expect(end));
  return vector;
}

Result<Operand> OperandParser::address() {
  Operand address;
  const int line = cursor_.line();
  if (cursor_.peek().kind == TokenKind::kWord) {
    FAKE_CUDA_TRY(const std::string word, cursor_.word());
    address = meaning_of(word);
    if (address.kind != OperandKind::kRegister && address.kind != OperandKind::kVariable) {
      return wrong_at(line, "unknown name '" + word + "' in an address");
    }
  }
  address.kind = OperandKind::kAddress;
  FAKE_CUDA_TRY(address.bits, addend());
  FAKE_CUDA_TRY_VOID(cursor_.expect("]"));
  return address;
}

// "+4", "+-4", "-4", or "4" for an address that is a number; nothing is 0.
Result<std::uint64_t> OperandParser::addend() {
  cursor_.take_if("+");
  const bool minus = cursor_.take_if("-");
  if (cursor_.is("]") && !minus) return 0;
  FAKE_CUDA_TRY(const std::uint64_t value, cursor_.integer());
  return minus ? 0 - value : value;
}

Result<Operand> OperandParser::number() {
  const bool minus = cursor_.take_if("-");
  const Token& token = cursor_.take();
  switch (token.kind) {
    case TokenKind::kInteger:
      return immediate(minus ? 0 - token.bits : token.bits, Type::kNone);
    case TokenKind::kFloat:
      return immediate(token.bits ^ (minus ? std::uint64_t{1} << 31 : 0), Type::kF32);
    case TokenKind::kDouble:
      return immediate(token.bits ^ (minus ? std::uint64_t{1} << 63 : 0), Type::kF64);
    default:
      return wrong_at(token.line, "'" + std::string(token.text) + "' is no operand");
  }
}

Result<Operand> OperandParser::name() {
  FAKE_CUDA_TRY(const std::string word, cursor_.word());
  Operand operand = meaning_of(word);
  if (operand.kind == OperandKind::kVariable && (cursor_.is("+") || cursor_.is("-"))) {
    FAKE_CUDA_TRY(operand.bits, addend());
  }
  return operand;
}

Operand OperandParser::meaning_of(const std::string& word) {
  if (auto found = scopes_.find(word)) return *found;
  Operand operand;
  if (const auto special = special_of(word)) {
    operand.kind = OperandKind::kRegister;
    operand.type = Type::kNone;
    operand.slot = *special;
  } else if (word == "WARP_SZ") {
    operand = immediate(32, Type::kNone);
  } else if (const auto global = globals_.find(word); global != globals_.end()) {
    operand.kind = OperandKind::kVariable;
    operand.variable = global->second;
  } else {
    operand.kind = OperandKind::kName;
    operand.name = word;
  }
  return operand;
}

}  // namespace fake_cuda
