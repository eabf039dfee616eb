// Branches, calls, barriers, and what the threads of a warp do together.

#include <array>

#include "fake_cuda/driver/decoder.h"
#include "fake_cuda/driver/execute_control.h"

namespace fake_cuda {
namespace {

Result<bool> decode_branch(Decoder& decoder, const Statement& statement, Opcode& opcode,
                           Instruction& at) {
  opcode.take("uni");
  if (opcode.mnemonic == "bra") {
    FAKE_CUDA_TRY_VOID(expect_operands(statement, 1, 1));
    FAKE_CUDA_TRY(const std::uint32_t to, decoder.label(statement, statement.operands[0].name));
    at.bits = std::uint64_t{to} - decoder.code().instructions.size();
    at.run = branch;
    return true;
  }
  if (!opcode.take("idx")) return true;
  FAKE_CUDA_TRY_VOID(expect_operands(statement, 2, 2));
  FAKE_CUDA_TRY(at.a, decoder.value(statement.operands[0]));
  FAKE_CUDA_TRY(auto table, decoder.branch_table(statement, statement.operands[1].name));
  at.bits = decoder.code().branch_tables.size();
  decoder.code().branch_tables.push_back(std::move(table));
  at.run = branch_by_table;
  return true;
}

// Pairs of variables in parameter space: what a call passes, and what the callee declares.
Result<std::vector<ByteCopy>> copies(const Statement& statement, const std::vector<Operand>& here,
                                     const std::vector<const Variable*>& there, bool inwards) {
  if (here.size() != there.size()) {
    return wrong_at(statement.line, "a call with " + std::to_string(here.size()) + " of " +
                                        std::to_string(there.size()) + " parameters");
  }
  std::vector<ByteCopy> list;
  for (std::size_t k = 0; k < here.size(); ++k) {
    const Variable* mine = here[k].variable;
    if (mine == nullptr || mine->space != Space::kParam) {
      return wrong_at(statement.line, "a call with a parameter that is not in .param");
    }
    const std::uint64_t bytes = std::min(mine->bytes, there[k]->bytes);
    list.push_back(inwards ? ByteCopy{mine->offset, there[k]->offset, bytes}
                           : ByteCopy{there[k]->offset, mine->offset, bytes});
  }
  return list;
}

Result<bool> decode_call(Decoder& decoder, const Statement& statement, Opcode& opcode,
                         Instruction& at) {
  opcode.take("uni");
  const std::vector<Operand>& all = statement.operands;
  std::size_t next = 0;
  const bool gives = !all.empty() && all[0].kind == OperandKind::kVector;
  if (gives) ++next;
  if (next >= all.size() || all[next].kind != OperandKind::kName) {
    return wrong_at(statement.line, "a call through a pointer, which is not interpreted");
  }
  const std::string& name = all[next++].name;
  const auto callee = decoder.layout().callees.find(name);
  if (callee == decoder.layout().callees.end()) {
    return wrong_at(statement.line, "a call of '" + name + "', which has no body here");
  }
  const Function& function = *decoder.layout().functions[callee->second];
  const bool takes = next < all.size() && all[next].kind == OperandKind::kVector;
  Call made{callee->second, {}, {}};
  FAKE_CUDA_TRY(made.arguments,
                copies(statement, takes ? all[next].elements : std::vector<Operand>{},
                       function.parameters, true));
  FAKE_CUDA_TRY(made.results, copies(statement, gives ? all[0].elements : std::vector<Operand>{},
                                     function.results, false));
  at.bits = decoder.code().calls.size();
  decoder.code().calls.push_back(std::move(made));
  at.run = call;
  return true;
}

// bar.sync id[, count]; bar.red.popc.u32 d, id, p and its kin; bar.warp.sync mask.
Result<bool> decode_barrier(Decoder& decoder, const Statement& statement, Opcode& opcode,
                            Instruction& at) {
  opcode.take_all({"cta", "aligned"});
  if (opcode.take("warp")) {
    if (!opcode.take("sync")) return true;
    FAKE_CUDA_TRY_VOID(expect_operands(statement, 1, 1));
    FAKE_CUDA_TRY(at.f, decoder.value(statement.operands[0]));
    at.run = wait_for_warp;
    return true;
  }
  std::size_t next = 0;
  if (opcode.take("red")) {
    at.collective = opcode.take("popc")  ? Collective::kAdd
                    : opcode.take("and") ? Collective::kAll
                    : opcode.take("or")  ? Collective::kAny
                                         : Collective::kSync;
    if (at.collective == Collective::kSync || !opcode.take_type()) return true;
    FAKE_CUDA_TRY_VOID(expect_operands(statement, 3, 3));
    FAKE_CUDA_TRY(at.d, decoder.target(statement.operands[0]));
    FAKE_CUDA_TRY(at.c, decoder.value(statement.operands[2]));
    at.negate_c = statement.operands[2].negated;
    next = 1;
  } else if (!opcode.take("sync")) {
    return true;
  } else {
    FAKE_CUDA_TRY_VOID(expect_operands(statement, 1, 2));
    if (statement.operands.size() == 2) {
      FAKE_CUDA_TRY(at.b, decoder.value(statement.operands[1]));
    }
  }
  FAKE_CUDA_TRY(at.a, decoder.value(statement.operands[next]));
  at.run = wait_for_block;
  return true;
}

struct CollectiveWord {
  std::string_view mnemonic, word;
  Type type;
  Collective collective;
};

constexpr std::array kCollectives{
    CollectiveWord{"shfl", "up", Type::kB32, Collective::kShuffleUp},
    CollectiveWord{"shfl", "down", Type::kB32, Collective::kShuffleDown},
    CollectiveWord{"shfl", "bfly", Type::kB32, Collective::kShuffleXor},
    CollectiveWord{"shfl", "idx", Type::kB32, Collective::kShuffleIndex},
    CollectiveWord{"vote", "all", Type::kPred, Collective::kAll},
    CollectiveWord{"vote", "any", Type::kPred, Collective::kAny},
    CollectiveWord{"vote", "uni", Type::kPred, Collective::kUniform},
    CollectiveWord{"vote", "ballot", Type::kB32, Collective::kBallot},
    CollectiveWord{"redux", "add", Type::kU32, Collective::kAdd},
    CollectiveWord{"redux", "add", Type::kS32, Collective::kAdd},
    CollectiveWord{"redux", "min", Type::kU32, Collective::kMinU},
    CollectiveWord{"redux", "max", Type::kU32, Collective::kMaxU},
    CollectiveWord{"redux", "min", Type::kS32, Collective::kMinS},
    CollectiveWord{"redux", "max", Type::kS32, Collective::kMaxS},
    CollectiveWord{"redux", "and", Type::kB32, Collective::kAnd},
    CollectiveWord{"redux", "or", Type::kB32, Collective::kOr},
    CollectiveWord{"redux", "xor", Type::kB32, Collective::kXor},
};

}  // namespace

Result<bool> decode_control(Decoder& decoder, const Statement& statement, Opcode& opcode,
                            Instruction& at) {
  const std::string_view name = opcode.mnemonic;
  if (name == "bra" || name == "brx") return decode_branch(decoder, statement, opcode, at);
  if (name == "call") return decode_call(decoder, statement, opcode, at);
  if (name == "bar" || name == "barrier") return decode_barrier(decoder, statement, opcode, at);
  if (name == "ret" || name == "exit") {
    opcode.take("uni");
    at.run = name == "ret" ? give_back : leave;
    return true;
  }
  if (name == "trap" || name == "brkpt") {
    at.run = trap;
    return true;
  }
  // Order of memory, hints to caches, and waiting: nothing to do where threads take turns.
  if (name == "membar" || name == "fence" || name == "prefetch" || name == "prefetchu" ||
      name == "nanosleep") {
    opcode.modifiers.clear();
    at.run = do_nothing;
    return true;
  }
  return false;
}

Result<bool> decode_warp(Decoder& decoder, const Statement& statement, Opcode& opcode,
                         Instruction& at) {
  const std::string_view name = opcode.mnemonic;
  if (name != "shfl" && name != "vote" && name != "redux") return false;
  const auto type = opcode.take_type();
  if (!type || !opcode.take("sync") || opcode.modifiers.size() != 1) return true;
  for (const CollectiveWord& row : kCollectives) {
    if (row.mnemonic != name || row.type != *type || row.word != opcode.modifiers[0]) continue;
    at.collective = row.collective;
    at.run = wait_for_warp;
  }
  if (at.run == nullptr) return true;
  opcode.modifiers.clear();
  const std::size_t count = name == "shfl" ? 5 : 3;
  FAKE_CUDA_TRY_VOID(expect_operands(statement, count, count));
  const Operand& first = statement.operands[0];
  const bool pair = first.kind == OperandKind::kPair;
  FAKE_CUDA_TRY(at.d, decoder.target(pair ? first.elements[0] : first));
  if (pair) {
    FAKE_CUDA_TRY(at.e, decoder.target(first.elements[1]));
  }
  FAKE_CUDA_TRY(at.a, decoder.value(statement.operands[1]));
  at.negate_c = statement.operands[1].negated;
  if (name == "shfl") {
    FAKE_CUDA_TRY(at.b, decoder.value(statement.operands[2]));
    FAKE_CUDA_TRY(at.c, decoder.value(statement.operands[3]));
  }
  FAKE_CUDA_TRY(at.f, decoder.value(statement.operands[count - 1]));
  return true;
}

}  // namespace fake_cuda
