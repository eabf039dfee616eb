#include "fake_cuda/driver/warp.h"

#include <algorithm>
#include <array>

#include "fake_cuda/driver/special_registers.h"

namespace fake_cuda {
namespace {

constexpr std::size_t kWarp = 32;

using Lanes = std::array<Thread*, kWarp>;  // null: not in the operation

// Which lane a lane reads from, and whether that is within its segment.
struct Source {
  std::uint32_t lane = 0;
  bool valid = false;
};

Source shuffle_source(const Instruction& at, std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t by = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  const std::uint32_t highest = (lane & segment) | (clamp & ~segment);
  const std::uint32_t lowest = lane & segment;
  switch (at.collective) {
    case Collective::kShuffleUp:
      return {lane - by, lane >= by && lane - by >= highest};
    case Collective::kShuffleDown:
      return {lane + by, lane + by <= highest};
    case Collective::kShuffleXor:
      return {lane ^ by, (lane ^ by) <= highest};
    default:
      return {lowest | (by & ~segment), (lowest | (by & ~segment)) <= highest};
  }
}

void shuffle(const Instruction& at, const Lanes& lanes) {
  std::array<std::uint64_t, kWarp> values{};
  std::array<bool, kWarp> valid{};
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    const Thread* thread = lanes[lane];
    if (thread == nullptr) continue;
    Source source = shuffle_source(at, lane, get<std::uint32_t>(*thread, at.b),
                                   get<std::uint32_t>(*thread, at.c));
    if (!source.valid) source.lane = lane;
    valid[lane] = source.valid;
    // A lane that takes no part has no defined value.
    const Thread* from = lanes[source.lane & 31];
    values[lane] =
        from != nullptr ? get<std::uint32_t>(*from, at.a) : static_cast<std::uint32_t>(kPoisonWord);
  }
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if (lanes[lane] == nullptr) continue;
    lanes[lane]->r[at.d] = values[lane];
    if (at.e != kNoSlot) set(*lanes[lane], at.e, valid[lane]);
  }
}

std::uint32_t vote(const Instruction& at, const Lanes& lanes) {
  std::uint32_t ones = 0, all = 0;
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if (lanes[lane] == nullptr) continue;
    all |= std::uint32_t{1} << lane;
    if (get<bool>(*lanes[lane], at.a) != at.negate_c) ones |= std::uint32_t{1} << lane;
  }
  switch (at.collective) {
    case Collective::kAll:
      return ones == all ? 1 : 0;
    case Collective::kAny:
      return ones != 0 ? 1 : 0;
    case Collective::kUniform:
      return ones == all || ones == 0 ? 1 : 0;
    default:
      return ones;
  }
}

std::uint32_t reduced(Collective operation, std::uint32_t a, std::uint32_t b) {
  const auto with_sign = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
  switch (operation) {
    case Collective::kAdd:
      return a + b;
    case Collective::kMinU:
      return std::min(a, b);
    case Collective::kMaxU:
      return std::max(a, b);
    case Collective::kMinS:
      return with_sign(a) < with_sign(b) ? a : b;
    case Collective::kMaxS:
      return with_sign(a) > with_sign(b) ? a : b;
    case Collective::kAnd:
      return a & b;
    case Collective::kOr:
      return a | b;
    default:
      return a ^ b;
  }
}

std::uint32_t reduction(const Instruction& at, const Lanes& lanes) {
  std::uint32_t result = 0;
  bool first = true;
  for (const Thread* thread : lanes) {
    if (thread == nullptr) continue;
    const auto value = get<std::uint32_t>(*thread, at.a);
    result = first ? value : reduced(at.collective, result, value);
    first = false;
  }
  return result;
}

void carry_out(const Instruction& at, const Lanes& lanes) {
  if (at.collective == Collective::kSync) return;
  if (at.collective <= Collective::kShuffleIndex) return shuffle(at, lanes);
  const std::uint32_t result =
      at.collective <= Collective::kBallot ? vote(at, lanes) : reduction(at, lanes);
  for (Thread* thread : lanes) {
    if (thread != nullptr) thread->r[at.d] = result;
  }
}

// The lanes that the first waiting thread's mask names, or nothing while one is still missing.
bool gather(std::span<Thread> warp, const Thread& first, Lanes& lanes) {
  const auto mask = get<std::uint32_t>(first, first.waiting->f);
  for (std::size_t lane = 0; lane < warp.size(); ++lane) {
    Thread& thread = warp[lane];
    if ((mask >> lane & 1) == 0 || thread.status == Status::kExited) continue;
    if (thread.status != Status::kInWarp || thread.waiting != first.waiting) return false;
    lanes[lane] = &thread;
  }
  return std::ranges::find(lanes, &first) != lanes.end();
}

bool run_in_warp(std::span<Thread> warp) {
  bool done = false;
  for (const Thread& first : warp) {
    if (first.status != Status::kInWarp) continue;
    Lanes lanes{};
    if (!gather(warp, first, lanes)) continue;
    carry_out(*first.waiting, lanes);
    for (Thread* thread : lanes) {
      if (thread == nullptr) continue;
      thread->status = Status::kReady;
      thread->waiting = nullptr;
    }
    done = true;
  }
  return done;
}

}  // namespace

bool run_collectives(std::span<Thread> threads) {
  bool done = false;
  for (std::size_t start = 0; start < threads.size(); start += kWarp) {
    done = run_in_warp(threads.subspan(start, std::min(kWarp, threads.size() - start))) || done;
  }
  return done;
}

}  // namespace fake_cuda
