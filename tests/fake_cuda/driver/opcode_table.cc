#include "fake_cuda/driver/opcode_table.h"

namespace fake_cuda {

const OpcodeTable& opcode_table() {
  static const OpcodeTable table = [] {
    OpcodeTable rows;
    add_integer_opcodes(rows);
    add_bit_opcodes(rows);
    add_float_opcodes(rows);
    return rows;
  }();
  return table;
}

}  // namespace fake_cuda
