#include "fake_cuda/driver/execute_control.h"

#include <chrono>

#include "fake_cuda/driver/errors.h"
#include "fake_cuda/driver/thread.h"

namespace fake_cuda {

void branch(Thread& thread, const Instruction& at) {
  thread.next = &at + static_cast<std::int64_t>(at.bits);
}

void branch_by_table(Thread& thread, const Instruction& at) {
  const Code& code = *thread.frames.back().code;
  const std::vector<std::uint32_t>& table = code.branch_tables[at.bits];
  const auto index = get<std::uint32_t>(thread, at.a);
  if (index >= table.size()) {
    return thread.fail(
        at, kIllegalInstruction,
        "branch " + std::to_string(index) + " of a table of " + std::to_string(table.size()));
  }
  thread.next = code.instructions.data() + table[index];
}

void call(Thread& thread, const Instruction& at) {
  const Call& made = thread.frames.back().code->calls[at.bits];
  if (!thread.push(*thread.launch->kernel->functions[made.callee], &made)) {
    thread.fail(at, kLaunchFailed, "the stack of calls is full");
  }
}

void give_back(Thread& thread, const Instruction&) { thread.pop(); }

void leave(Thread& thread, const Instruction&) { thread.status = Status::kExited; }

void trap(Thread& thread, const Instruction& at) { thread.fail(at, kLaunchFailed, "a trap"); }

void do_nothing(Thread&, const Instruction&) {}

void read_clock(Thread& thread, const Instruction& at) {
  thread.r[at.d] = static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

void wait_for_block(Thread& thread, const Instruction& at) {
  thread.waiting = &at;
  thread.status = Status::kAtBarrier;
}

void wait_for_warp(Thread& thread, const Instruction& at) {
  thread.waiting = &at;
  thread.status = Status::kInWarp;
}

}  // namespace fake_cuda
