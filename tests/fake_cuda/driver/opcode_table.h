// OpcodeTable: the opcodes that take values and give one value, by name.
//
// A name has the modifiers that choose the operation and its type, "mul.wide.s32". Modifiers that
// only change how it rounds are flags; a row says which of them its handler obeys, so that none is
// read over.

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "fake_cuda/driver/instruction.h"

namespace fake_cuda {

enum Obeys : std::uint8_t { kObeysRounding = 1, kObeysFtz = 2, kObeysSat = 4, kMayApproximate = 8 };

struct OpcodeRow {
  Handler run = nullptr;
  std::uint8_t inputs = 0;
  std::uint8_t obeys = 0;
};

using OpcodeTable = std::unordered_map<std::string, OpcodeRow>;

// All rows; made at the first call.
const OpcodeTable& opcode_table();

void add_integer_opcodes(OpcodeTable& table);
void add_bit_opcodes(OpcodeTable& table);
void add_float_opcodes(OpcodeTable& table);

}  // namespace fake_cuda
