// ld, st, atom, red; mov, cvta, isspacep.

#include <array>

#include "fake_cuda/driver/decoder.h"
#include "fake_cuda/driver/execute_control.h"
#include "fake_cuda/driver/execute_memory.h"
#include "fake_cuda/driver/special_registers.h"

namespace fake_cuda {
namespace {

// Threads run one after another and memory has no caches: these words change nothing here.
void take_orders(Opcode& opcode) {
  opcode.take_all({"volatile",
                   "relaxed",
                   "acquire",
                   "release",
                   "acq_rel",
                   "weak",
                   "mmio",
                   "gpu",
                   "cta",
                   "sys",
                   "cluster",
                   "ca",
                   "cg",
                   "cs",
                   "lu",
                   "cv",
                   "wb",
                   "wt",
                   "nc",
                   "unified",
                   "noftz",
                   "L1::evict_normal",
                   "L1::evict_unchanged",
                   "L1::evict_first",
                   "L1::evict_last",
                   "L1::no_allocate",
                   "L2::64B",
                   "L2::128B",
                   "L2::256B"});
}

std::uint32_t take_width(Opcode& opcode) {
  if (opcode.take("v2")) return 2;
  if (opcode.take("v4")) return 4;
  return opcode.take("v8") ? 8 : 1;
}

Result<bool> decode_load_store(Decoder& decoder, const Statement& statement, Opcode& opcode,
                               Instruction& at) {
  const bool loads = opcode.mnemonic != "st";
  take_orders(opcode);
  at.space = opcode.take_space().value_or(Space::kGeneric);
  const std::uint32_t width = take_width(opcode);
  const auto type = opcode.take_type();
  if (!type) return true;
  at.run = loads ? load_handler(*type) : store_handler(*type);
  FAKE_CUDA_TRY_VOID(expect_operands(statement, 2, 2));
  const Operand& data = statement.operands[loads ? 0 : 1];
  FAKE_CUDA_TRY_VOID(decoder.address(statement.operands[loads ? 1 : 0], at));
  if (data.kind == OperandKind::kVector) {
    FAKE_CUDA_TRY_VOID(decoder.list(data, *type, loads, at));
    if (at.count == 1) (loads ? at.d : at.b) = decoder.code().lists[at.list];
  } else if (loads) {
    FAKE_CUDA_TRY(at.d, decoder.target(data));
  } else {
    FAKE_CUDA_TRY(at.b, decoder.value(data, *type));
  }
  if (at.count != width) return wrong_at(statement.line, "a vector of another width");
  return true;
}

Result<bool> decode_atomic(Decoder& decoder, const Statement& statement, Opcode& opcode,
                           Instruction& at) {
  const bool gives = opcode.mnemonic == "atom";
  take_orders(opcode);
  at.space = opcode.take_space().value_or(Space::kGeneric);
  const auto type = opcode.take_type();
  if (!type || opcode.modifiers.size() != 1) return true;
  const std::string_view operation = opcode.modifiers[0];
  at.run = atomic_handler(operation, *type);
  opcode.modifiers.clear();
  const std::size_t first = gives ? 1 : 0;
  const std::size_t count = first + (operation == "cas" ? 3 : 2);
  FAKE_CUDA_TRY_VOID(expect_operands(statement, count, count));
  at.d = kTrash;
  if (gives) {
    FAKE_CUDA_TRY(at.d, decoder.target(statement.operands[0]));
  }
  FAKE_CUDA_TRY_VOID(decoder.address(statement.operands[first], at));
  FAKE_CUDA_TRY(at.b, decoder.value(statement.operands[first + 1], *type));
  if (operation == "cas") {
    FAKE_CUDA_TRY(at.c, decoder.value(statement.operands[first + 2], *type));
  }
  return true;
}

// A vector of 2 to 8 parts that fill the type.
Result<void> check_parts(const Statement& statement, const Instruction& at) {
  if (at.count >= 2 && at.count <= bytes_of(at.to) && bytes_of(at.to) % at.count == 0) return {};
  return wrong_at(statement.line, "a vector of " + std::to_string(at.count) + " elements");
}

Result<bool> decode_mov(Decoder& decoder, const Statement& statement, Opcode& opcode,
                        Instruction& at) {
  const auto type = opcode.take_type();
  if (!type) return true;
  FAKE_CUDA_TRY_VOID(expect_operands(statement, 2, 2));
  const Operand& to = statement.operands[0];
  const Operand& from = statement.operands[1];
  at.to = *type;
  if (to.kind == OperandKind::kVector) {
    at.run = unpack;
    FAKE_CUDA_TRY(at.a, decoder.value(from, *type));
    FAKE_CUDA_TRY_VOID(decoder.list(to, *type, true, at));
    FAKE_CUDA_TRY_VOID(check_parts(statement, at));
    return true;
  }
  FAKE_CUDA_TRY(at.d, decoder.target(to));
  if (from.kind == OperandKind::kVector) {
    at.run = pack;
    FAKE_CUDA_TRY_VOID(decoder.list(from, *type, false, at));
    FAKE_CUDA_TRY_VOID(check_parts(statement, at));
  } else if (from.kind == OperandKind::kRegister && from.slot >= kClock && from.slot < kTrash) {
    at.run = read_clock;
  } else {
    at.run = copy;
    FAKE_CUDA_TRY(at.a, decoder.value(from, *type));
  }
  return true;
}

Result<bool> decode_address(Decoder& decoder, const Statement& statement, Opcode& opcode,
                            Instruction& at) {
  const bool asks = opcode.mnemonic == "isspacep";
  const bool from = opcode.take("to");
  const auto space = opcode.take_space();
  const bool wide = asks || opcode.take("u64");
  if (!space || !wide) return true;
  at.space = *space;
  at.run = asks ? is_in_space : from ? from_generic : to_generic;
  FAKE_CUDA_TRY_VOID(expect_operands(statement, 2, 2));
  FAKE_CUDA_TRY(at.d, decoder.target(statement.operands[0]));
  FAKE_CUDA_TRY(at.a, decoder.value(statement.operands[1]));
  return true;
}

}  // namespace

Result<bool> decode_memory(Decoder& decoder, const Statement& statement, Opcode& opcode,
                           Instruction& at) {
  const std::string_view name = opcode.mnemonic;
  if (name == "ld" || name == "ldu" || name == "st") {
    return decode_load_store(decoder, statement, opcode, at);
  }
  if (name == "atom" || name == "red") return decode_atomic(decoder, statement, opcode, at);
  return false;
}

Result<bool> decode_move(Decoder& decoder, const Statement& statement, Opcode& opcode,
                         Instruction& at) {
  const std::string_view name = opcode.mnemonic;
  if (name == "mov") return decode_mov(decoder, statement, opcode, at);
  if (name == "cvta" || name == "isspacep") return decode_address(decoder, statement, opcode, at);
  return false;
}

}  // namespace fake_cuda
