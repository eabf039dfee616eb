// Instruction: an opcode as a function, its operands as slots of a thread's frame. Code and Kernel:
// what a thread runs.
//
// A frame is an array of 64-bit slots: special registers, registers, constants. So every operand is
// a slot, and an instruction is one indirect call. Bits above a register's width are arbitrary:
// each reader takes as many as its type has.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fake_cuda/driver/memory.h"
#include "fake_cuda/driver/ptx_module.h"

namespace fake_cuda {

struct Thread;
struct Instruction;
using Handler = void (*)(Thread&, const Instruction&);

enum class Rounding : std::uint8_t { kNearest, kZero, kDown, kUp };

enum class Compare : std::uint8_t {
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,  // false for a NaN, but kNe of integers
  kEqu,
  kNeu,
  kLtu,
  kLeu,
  kGtu,
  kGeu,  // true for a NaN
  kNum,
  kNan,
};

enum class Combine : std::uint8_t { kNone, kAnd, kOr, kXor };

enum class Collective : std::uint8_t {
  kSync,
  kShuffleUp,
  kShuffleDown,
  kShuffleXor,
  kShuffleIndex,
  kAll,
  kAny,
  kUniform,
  kBallot,
  kAdd,
  kMinU,
  kMaxU,
  kMinS,
  kMaxS,
  kAnd,
  kOr,
  kXor,
};

struct Instruction {
  Handler run = nullptr;
  std::uint32_t d = kNoSlot;  // result
  std::uint32_t e = kNoSlot;  // second result
  std::uint32_t a = kNoSlot, b = kNoSlot, c = kNoSlot, f = kNoSlot;
  std::uint64_t bits = 0;  // offset of an address, table of lop3, target of a branch
  std::uint32_t predicate = kNoSlot;
  bool negated = false;
  bool ftz = false;
  bool saturate = false;
  bool negate_c = false;
  bool narrow = false;  // the address is a 32-bit register
  Rounding rounding = Rounding::kNearest;
  Compare compare = Compare::kEq;
  Combine combine = Combine::kNone;
  Collective collective = Collective::kSync;
  Space space = Space::kGeneric;
  Type to = Type::kNone, from = Type::kNone;
  std::uint32_t count = 1;  // elements of a vector
  std::uint32_t list = 0;   // where the slots of a vector begin in Code::lists
  int line = 0;
  // The allocation that the last access found. Valid during one launch.
  mutable const Allocation* seen = nullptr;
};

struct ByteCopy {
  std::uint64_t from = 0, to = 0, bytes = 0;
};

struct Call {
  std::uint32_t callee = 0;         // Kernel::functions
  std::vector<ByteCopy> arguments;  // caller's params to callee's
  std::vector<ByteCopy> results;    // and back
};

struct LocalAddress {
  std::uint32_t slot = 0;
  std::uint64_t offset = 0;  // in the frame's local memory
};

struct Code {
  const Function* function = nullptr;
  std::vector<Instruction> instructions;
  std::vector<std::uint64_t> image;  // a frame at the start: constants, and poison in registers
  std::vector<LocalAddress> locals;  // slots that hold addresses of this frame's local memory
  std::vector<std::uint32_t> lists;
  std::vector<Call> calls;
  std::vector<std::vector<std::uint32_t>> branch_tables;
};

struct Kernel {
  std::vector<std::unique_ptr<Code>> functions;  // the entry is the first
  std::uint64_t static_shared = 0;
  std::uint64_t dynamic_start = 0;   // where shared memory of the launch begins
  std::uint64_t local_bytes = 0;     // of one frame of each function
  std::uint64_t constant_bytes = 0;  // of the module
  std::uint64_t most_dynamic = 0;    // set by cuFuncSetAttribute; 0: as much as fits without asking

  const Function& entry() const { return *functions.front()->function; }
};

}  // namespace fake_cuda
