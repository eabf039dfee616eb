// Opcodes with values in and one value out: OpcodeTable's, and those that compare, choose or
// convert.

#include <array>

#include "fake_cuda/driver/decoder.h"
#include "fake_cuda/driver/execute_compare.h"
#include "fake_cuda/driver/execute_convert.h"
#include "fake_cuda/driver/opcode_table.h"

namespace fake_cuda {
namespace {

struct RoundingWord {
  std::string_view word;
  Rounding mode;
  bool whole;
};

constexpr std::array kRoundings{
    RoundingWord{"rn", Rounding::kNearest, false}, RoundingWord{"rz", Rounding::kZero, false},
    RoundingWord{"rm", Rounding::kDown, false},    RoundingWord{"rp", Rounding::kUp, false},
    RoundingWord{"rni", Rounding::kNearest, true}, RoundingWord{"rzi", Rounding::kZero, true},
    RoundingWord{"rmi", Rounding::kDown, true},    RoundingWord{"rpi", Rounding::kUp, true},
};

// Gives whether it rounds to a whole number.
bool take_rounding(Opcode& opcode, Instruction& at) {
  for (const RoundingWord& row : kRoundings) {
    if (!opcode.take(row.word)) continue;
    at.rounding = row.mode;
    return row.whole;
  }
  return false;
}

struct CompareWord {
  std::string_view word;
  Compare compare;
};

constexpr std::array kCompares{
    CompareWord{"eq", Compare::kEq},   CompareWord{"ne", Compare::kNe},
    CompareWord{"lt", Compare::kLt},   CompareWord{"le", Compare::kLe},
    CompareWord{"gt", Compare::kGt},   CompareWord{"ge", Compare::kGe},
    CompareWord{"lo", Compare::kLt},   CompareWord{"ls", Compare::kLe},
    CompareWord{"hi", Compare::kGt},   CompareWord{"hs", Compare::kGe},
    CompareWord{"equ", Compare::kEqu}, CompareWord{"neu", Compare::kNeu},
    CompareWord{"ltu", Compare::kLtu}, CompareWord{"leu", Compare::kLeu},
    CompareWord{"gtu", Compare::kGtu}, CompareWord{"geu", Compare::kGeu},
    CompareWord{"num", Compare::kNum}, CompareWord{"nan", Compare::kNan},
};

bool take_compare(Opcode& opcode, Instruction& at) {
  if (opcode.take("and")) at.combine = Combine::kAnd;
  if (opcode.take("or")) at.combine = Combine::kOr;
  if (opcode.take("xor")) at.combine = Combine::kXor;
  at.ftz = opcode.take("ftz");
  for (const CompareWord& row : kCompares) {
    if (!opcode.take(row.word)) continue;
    at.compare = row.compare;
    return true;
  }
  return false;
}

Result<void> compared_values(Decoder& decoder, const Statement& statement, Type type,
                             Instruction& at) {
  const std::size_t count = at.combine == Combine::kNone ? 3 : 4;
  FAKE_CUDA_TRY_VOID(expect_operands(statement, count, count));
  const Operand& first = statement.operands[0];
  if (first.kind == OperandKind::kPair) {
    FAKE_CUDA_TRY(at.d, decoder.target(first.elements[0]));
    FAKE_CUDA_TRY(at.e, decoder.target(first.elements[1]));
  } else {
    FAKE_CUDA_TRY(at.d, decoder.target(first));
  }
  FAKE_CUDA_TRY(at.a, decoder.value(statement.operands[1], type));
  FAKE_CUDA_TRY(at.b, decoder.value(statement.operands[2], type));
  if (count == 4) {
    FAKE_CUDA_TRY(at.c, decoder.value(statement.operands[3]));
    at.negate_c = statement.operands[3].negated;
  }
  return {};
}

Result<bool> decode_compare(Decoder& decoder, const Statement& statement, Opcode& opcode,
                            Instruction& at) {
  if (!take_compare(opcode, at)) return true;
  const bool makes_value = opcode.mnemonic == "set";
  const auto to = makes_value ? opcode.take_type() : std::optional(Type::kPred);
  const auto from = opcode.take_type();
  if (!to || !from) return true;
  at.run = makes_value ? set_handler(*to, *from) : setp_handler(*from);
  FAKE_CUDA_TRY_VOID(compared_values(decoder, statement, *from, at));
  return true;
}

Result<void> three_values(Decoder& decoder, const Statement& statement, Type type,
                          Instruction& at) {
  FAKE_CUDA_TRY_VOID(expect_operands(statement, 4, 4));
  FAKE_CUDA_TRY(at.d, decoder.target(statement.operands[0]));
  FAKE_CUDA_TRY(at.a, decoder.value(statement.operands[1], type));
  FAKE_CUDA_TRY(at.b, decoder.value(statement.operands[2], type));
  FAKE_CUDA_TRY(at.c, decoder.value(statement.operands[3]));
  return {};
}

Result<bool> decode_convert(Decoder& decoder, const Statement& statement, Opcode& opcode,
                            Instruction& at) {
  const bool whole = take_rounding(opcode, at);
  at.ftz = opcode.take("ftz");
  at.saturate = opcode.take("sat");
  const auto to = opcode.take_type();
  const auto from = opcode.take_type();
  if (!to || !from) return true;
  at.to = *to;
  at.from = *from;
  at.run = convert_handler(*to, *from, whole);
  FAKE_CUDA_TRY_VOID(expect_operands(statement, 2, 2));
  FAKE_CUDA_TRY(at.d, decoder.target(statement.operands[0]));
  FAKE_CUDA_TRY(at.a, decoder.value(statement.operands[1], *from));
  return true;
}

bool obeyed(const OpcodeRow& row, const Instruction& at, bool approximate) {
  const auto obeys = [&row](Obeys what) { return (row.obeys & what) != 0; };
  return (at.rounding == Rounding::kNearest || obeys(kObeysRounding)) &&
         (!at.ftz || obeys(kObeysFtz)) && (!at.saturate || obeys(kObeysSat)) &&
         (!approximate || obeys(kMayApproximate));
}

}  // namespace

Result<bool> decode_choice(Decoder& decoder, const Statement& statement, Opcode& opcode,
                           Instruction& at) {
  if (opcode.mnemonic == "setp" || opcode.mnemonic == "set") {
    return decode_compare(decoder, statement, opcode, at);
  }
  if (opcode.mnemonic == "cvt") return decode_convert(decoder, statement, opcode, at);
  if (opcode.mnemonic != "selp" && opcode.mnemonic != "slct") return false;
  at.ftz = opcode.take("ftz");
  const auto type = opcode.take_type();
  if (!type) return true;
  at.run = select;
  if (opcode.mnemonic == "slct") {
    const auto condition = opcode.take_type();
    at.run = condition ? slct_handler(*condition) : nullptr;
  }
  FAKE_CUDA_TRY_VOID(three_values(decoder, statement, *type, at));
  return true;
}

// Takes the flags away; the rest is the name of a row.
Result<bool> decode_arithmetic(Decoder& decoder, const Statement& statement, Opcode opcode,
                               Instruction& at) {
  Type type = Type::kNone;
  for (const std::string_view word : opcode.modifiers) type = type_of(word).value_or(type);
  take_rounding(opcode, at);
  at.ftz = opcode.take("ftz");
  at.saturate = is_float(type) && opcode.take("sat");
  const bool approximate = opcode.take("approx") || opcode.take("full");
  std::string name(opcode.mnemonic);
  for (const std::string_view word : opcode.modifiers) name += "." + std::string(word);
  const auto row = opcode_table().find(name);
  if (row == opcode_table().end() || !obeyed(row->second, at, approximate)) return false;
  at.run = row->second.run;
  const std::size_t count = row->second.inputs + std::size_t{1};
  FAKE_CUDA_TRY_VOID(expect_operands(statement, count, count));
  FAKE_CUDA_TRY(at.d, decoder.target(statement.operands[0]));
  const std::array<std::uint32_t*, 4> inputs{&at.a, &at.b, &at.c, &at.f};
  for (std::size_t k = 1; k < count; ++k) {
    FAKE_CUDA_TRY(*inputs[k - 1], decoder.value(statement.operands[k], type));
  }
  return true;
}

}  // namespace fake_cuda
