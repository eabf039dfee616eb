// Code: a program as instructions for one workgroup size.
//
// Immutable after lowering; shared by all machines that run it.

#pragma once

#include <cstdint>
#include <vector>

#include "backend/reference/machine.h"
#include "vyre/device.h"
#include "vyre/program.h"

namespace vyre::backend::reference {

// A register that is filled before the code runs. The meaning of `value` depends on the list.
struct Preset {
  std::uint32_t offset = 0;
  ir::Scalar type = ir::Scalar::u32;
  std::uint64_t value = 0;
};

// Memory of a local or private buffer inside a machine.
struct Array {
  std::uint32_t buffer = 0;
  std::uint64_t length = 0;  // elements, per lane for private ones
  std::uint64_t bytes = 0;   // in all
};

struct Code {
  std::vector<Instr> instructions;
  std::uint32_t lanes = 0;
  std::uint32_t blocks = 0;
  std::uint32_t register_bytes = 0;
  std::uint32_t mask = 0;         // register of the outermost mask
  std::uint32_t alive = 0;        // register of the lanes that have not returned
  std::vector<Preset> constants;  // value: bits; filled once per machine
  std::vector<Preset> symbols;    // value: symbol; filled per launch
  std::vector<Preset> lengths;    // value: buffer; filled per launch
  std::vector<Preset> ids;        // value: id; filled per workgroup
  std::vector<Array> arrays;      // zeroed per workgroup
};

}  // namespace vyre::backend::reference
