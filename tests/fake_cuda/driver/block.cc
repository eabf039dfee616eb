#include "fake_cuda/driver/block.h"

#include <algorithm>
#include <map>

#include "fake_cuda/driver/errors.h"
#include "fake_cuda/driver/warp.h"

namespace fake_cuda {
namespace {

void pass(Thread& thread) {
  thread.status = Status::kReady;
  thread.waiting = nullptr;
}

// bar.red: the predicates of all threads, counted or combined.
void give_reduction(std::span<Thread* const> waiting) {
  const Instruction& at = *waiting.front()->waiting;
  if (at.collective == Collective::kSync) return;
  std::uint64_t ones = 0;
  for (const Thread* thread : waiting) ones += get<bool>(*thread, at.c) != at.negate_c ? 1 : 0;
  for (Thread* thread : waiting) {
    thread->r[at.d] = at.collective == Collective::kAdd   ? ones
                      : at.collective == Collective::kAll ? (ones == waiting.size() ? 1 : 0)
                                                          : (ones > 0 ? 1 : 0);
  }
}

// A barrier with a count: opens for the threads at its number if there are that many.
bool open_counted(std::span<Thread* const> waiting) {
  std::map<std::uint64_t, std::vector<Thread*>> at_number;
  for (Thread* thread : waiting) at_number[thread->r[thread->waiting->a]].push_back(thread);
  bool opened = false;
  for (const auto& [number, group] : at_number) {
    const Instruction& at = *group.front()->waiting;
    if (at.b == kNoSlot || group.size() != group.front()->r[at.b]) continue;
    for (Thread* thread : group) pass(*thread);
    opened = true;
  }
  return opened;
}

void open_barriers(std::span<Thread> threads) {
  std::vector<Thread*> waiting;
  Thread* other = nullptr;
  for (Thread& thread : threads) {
    if (thread.status == Status::kAtBarrier) waiting.push_back(&thread);
    if (thread.status == Status::kInWarp) other = &thread;
  }
  if (open_counted(waiting)) return;
  for (Thread* thread : waiting) {
    if (thread->waiting != waiting.front()->waiting) other = thread;
  }
  if (other != nullptr) {
    const bool in_warp = other->status == Status::kInWarp;
    return other->fail(*other->waiting, kLaunchFailed,
                       in_warp ? "lanes that an operation of the warp names never reach it"
                               : "threads of a block stand at different barriers");
  }
  if (waiting.front()->waiting->b != kNoSlot) {
    return waiting.front()->fail(*waiting.front()->waiting, kLaunchFailed,
                                 "fewer threads reach a barrier than it counts");
  }
  give_reduction(waiting);
  for (Thread* thread : waiting) pass(*thread);
}

}  // namespace

void run_block(Launch& launch, std::span<Thread> threads) {
  while (true) {
    bool all_exited = true;
    for (Thread& thread : threads) {
      if (thread.status == Status::kReady) thread.run();
      if (launch.fault.error != kSuccess) return;
      all_exited = all_exited && thread.status == Status::kExited;
    }
    if (all_exited) return;
    if (!run_collectives(threads)) open_barriers(threads);
    if (launch.fault.error != kSuccess) return;
  }
}

}  // namespace fake_cuda
