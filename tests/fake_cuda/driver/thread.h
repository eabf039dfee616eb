// Thread: the registers, calls and local memory of one thread of a block, and how instructions
// reach them.

#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "fake_cuda/driver/instruction.h"

namespace fake_cuda {

enum class Status : std::uint8_t { kReady, kAtBarrier, kInWarp, kExited, kFaulted };

struct Fault {
  int error = 0;     // CUresult
  std::string text;  // for people: where and what
};

struct Frame {
  const Code* code = nullptr;
  const Call* call = nullptr;         // that made this frame; null for the entry
  const Instruction* back = nullptr;  // where the caller goes on
  std::uint64_t registers = 0;        // where they begin
  std::uint64_t params = 0;
  std::uint64_t locals = 0;
};

// What the threads of a launch share.
struct Launch {
  const Kernel* kernel = nullptr;
  const Memory* memory = nullptr;
  std::vector<std::uint8_t> parameters;
  std::vector<std::uint8_t> shared;
  std::uint64_t steps_left = 0;
  Fault fault;  // the first one ends the launch
};

struct Thread {
  std::uint64_t* r = nullptr;  // slots of the current frame
  const Instruction* next = nullptr;
  const Instruction* waiting = nullptr;  // the barrier or collective that stopped it
  Launch* launch = nullptr;
  Status status = Status::kReady;
  bool carry = false;
  std::vector<std::uint64_t> registers;
  std::vector<std::uint8_t> params;
  std::vector<std::uint8_t> locals;
  std::vector<Frame> frames;

  // Ready for the first instruction of the entry. The special registers are the caller's to fill.
  void start(Launch& of);
  // False, and a fault, where the stack is full.
  bool push(const Code& code, const Call* call);
  // After the last frame the thread has exited.
  void pop();
  void fail(const Instruction& at, int error, const std::string& text);
  void run();
};

template <class T>
T get(const Thread& thread, std::uint32_t slot) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(thread.r[slot]));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(thread.r[slot]);
  } else if constexpr (std::is_same_v<T, bool>) {
    return (thread.r[slot] & 1) != 0;
  } else {
    return static_cast<T>(thread.r[slot]);
  }
}

template <class T>
void set(Thread& thread, std::uint32_t slot, T value) {
  if constexpr (std::is_same_v<T, float>) {
    thread.r[slot] = std::bit_cast<std::uint32_t>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    thread.r[slot] = std::bit_cast<std::uint64_t>(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    thread.r[slot] = value ? 1 : 0;
  } else {
    // The sign of a small number is meant to spread. NOLINTNEXTLINE(bugprone-signed-char-misuse)
    thread.r[slot] = static_cast<std::uint64_t>(value);
  }
}

// The memory that an instruction's address means, or null after a fault.
std::uint8_t* reach(Thread& thread, const Instruction& at, std::uint32_t bytes, bool writes);

}  // namespace fake_cuda
