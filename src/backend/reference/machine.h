// Machine: the state of one workgroup while it runs, and the instruction that changes it.
//
// All invocations of a workgroup run together: a register is an array with one value per lane, and
// an instruction is a loop over all lanes. Lanes that are switched off still compute: every
// operation has a value for all operands, so this is harmless, and it keeps the loops free of
// branches. Only stores, atomics and assignments look at the mask. So a barrier needs no code at
// all, and the compiler vectorises every operation.
//
// One Machine belongs to one thread at a time.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vyre/device.h"

namespace vyre::backend::reference {

struct Machine;
struct Instr;
class RaceDetector;

using Handler = void (*)(Machine&, const Instr&);

// The handler decides what a, b, c and dst mean: mostly registers, as byte offsets.
struct Instr {
  Handler run = nullptr;
  std::uint32_t dst = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  std::uint32_t buffer = 0;
  std::uint32_t target = 0;  // where a jump goes; for memory instructions, the statement
};

// One of the program's buffers, from the point of view of this workgroup.
struct Storage {
  std::byte* data = nullptr;
  std::uint64_t length = 0;  // elements; per lane for private ones
};

// Lanes are padded to whole blocks, so that no loop needs a remainder.
inline constexpr std::uint32_t kLaneBlock = 16;

struct Machine {
  std::byte* registers = nullptr;
  std::uint32_t lanes = 0;   // invocations of the workgroup
  std::uint32_t blocks = 0;  // of kLaneBlock lanes, padding included
  std::uint32_t pc = 0;
  std::uint32_t end = 0;
  std::vector<Storage> buffers;

  std::int64_t budget_left = 0;  // lane instructions before more must be fetched from `budget`
  std::atomic<std::int64_t>* budget = nullptr;
  bool out_of_budget = false;

  RaceDetector* races = nullptr;  // null: not asked for

  template <class T>
  T* reg(std::uint32_t offset) {
    return reinterpret_cast<T*>(registers + offset);
  }
};

}  // namespace vyre::backend::reference
