#include "fake_cuda/driver/thread.h"

#include <algorithm>

#include "fake_cuda/driver/errors.h"
#include "fake_cuda/driver/special_registers.h"

namespace fake_cuda {
namespace {

constexpr std::size_t kMostFrames = 256;
constexpr std::uint64_t kMostLocal = 512 * 1024;  // as a card gives each thread

std::string in_hex(std::uint64_t value) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

}  // namespace

void Thread::start(Launch& of) {
  launch = &of;
  status = Status::kReady;
  waiting = nullptr;
  carry = false;
  frames.clear();
  registers.clear();
  params.clear();
  locals.clear();
  push(*of.kernel->functions.front(), nullptr);
  std::copy(of.parameters.begin(), of.parameters.end(), params.begin());
}

bool Thread::push(const Code& code, const Call* call) {
  const Frame frame{&code,
                    call,
                    next,
                    registers.size(),
                    align_up(params.size(), 16),
                    align_up(locals.size(), 16)};
  if (frames.size() == kMostFrames || frame.locals + code.function->local_bytes > kMostLocal) {
    return false;
  }
  const std::uint64_t caller = frames.empty() ? 0 : frames.back().registers;
  registers.insert(registers.end(), code.image.begin(), code.image.end());
  r = registers.data() + frame.registers;
  if (!frames.empty()) std::copy_n(registers.data() + caller, kFirstRegister, r);
  params.resize(frame.params + code.function->param_bytes, kPoison);
  locals.resize(frame.locals + code.function->local_bytes, kPoison);
  for (const LocalAddress& local : code.locals) r[local.slot] = frame.locals + local.offset;
  if (call != nullptr) {
    for (const ByteCopy& copy : call->arguments) {
      std::memcpy(params.data() + frame.params + copy.to,
                  params.data() + frames.back().params + copy.from, copy.bytes);
    }
  }
  frames.push_back(frame);
  next = code.instructions.data();
  return true;
}

void Thread::pop() {
  const Frame frame = frames.back();
  frames.pop_back();
  if (frames.empty()) {
    status = Status::kExited;
    return;
  }
  const Frame& caller = frames.back();
  for (const ByteCopy& copy : frame.call->results) {
    std::memcpy(params.data() + caller.params + copy.to, params.data() + frame.params + copy.from,
                copy.bytes);
  }
  registers.resize(frame.registers);
  params.resize(frame.params);
  locals.resize(frame.locals);
  r = registers.data() + caller.registers;
  next = frame.back;
}

void Thread::fail(const Instruction& at, int error, const std::string& text) {
  status = Status::kFaulted;
  if (launch->fault.error != kSuccess) return;
  const auto number = [this](std::uint32_t slot) { return std::to_string(r[slot]); };
  launch->fault = {error, frames.back().code->function->name + ", line " + std::to_string(at.line) +
                              " of the PTX: " + text + "; block (" + number(kCtaid) + ", " +
                              number(kCtaid + 1) + ", " + number(kCtaid + 2) + "), thread (" +
                              number(kTid) + ", " + number(kTid + 1) + ", " + number(kTid + 2) +
                              ")"};
}

void Thread::run() {
  std::uint64_t steps = 0;
  while (status == Status::kReady) {
    const Instruction& instruction = *next++;
    ++steps;
    if ((steps & 0xFFFF) == 0 && steps > launch->steps_left) {
      fail(instruction, kTimeout, "the launch takes too many instructions");
      break;
    }
    if (instruction.predicate != kNoSlot &&
        ((r[instruction.predicate] & 1) != 0) == instruction.negated) {
      continue;
    }
    instruction.run(*this, instruction);
  }
  launch->steps_left -= std::min(steps, launch->steps_left);
}

namespace {

struct Reach {
  std::uint64_t address;
  std::uint64_t bytes;
};

bool within(std::uint64_t address, std::uint64_t bytes, std::uint64_t size) {
  return bytes <= size && address <= size - bytes;
}

std::uint8_t* in_global(const Thread& thread, const Instruction& at, Reach reach, bool writes) {
  const Allocation* seen = at.seen;
  if (seen == nullptr || !seen->holds(reach.address, reach.bytes)) {
    seen = thread.launch->memory->find(reach.address, reach.bytes);
    if (seen == nullptr) return nullptr;
    at.seen = seen;
  }
  if (writes && seen->constant) return nullptr;
  return seen->at(reach.address);
}

std::uint8_t* in_bytes(std::vector<std::uint8_t>& bytes, std::uint64_t first, Reach reach) {
  if (!within(reach.address, reach.bytes, bytes.size() - first)) return nullptr;
  return bytes.data() + first + reach.address;
}

// Windows of generic addresses: the kernel's parameters may be read through theirs.
std::uint8_t* in_generic(Thread& thread, const Instruction& at, Reach reach, bool writes) {
  const auto window = [&](std::uint64_t start) { return reach.address - start < kWindowBytes; };
  if (window(kSharedWindow)) {
    return in_bytes(thread.launch->shared, 0, {reach.address - kSharedWindow, reach.bytes});
  }
  if (window(kLocalWindow)) {
    return in_bytes(thread.locals, 0, {reach.address - kLocalWindow, reach.bytes});
  }
  if (window(kParamWindow)) {
    return writes ? nullptr
                  : in_bytes(thread.launch->parameters, 0,
                             {reach.address - kParamWindow, reach.bytes});
  }
  return in_global(thread, at, reach, writes);
}

std::uint8_t* in_space(Thread& thread, const Instruction& at, Reach reach, bool writes) {
  switch (at.space) {
    case Space::kGlobal:
    case Space::kConst:
      return in_global(thread, at, reach, writes);
    case Space::kShared:
      return in_bytes(thread.launch->shared, 0, reach);
    case Space::kLocal:
      return in_bytes(thread.locals, 0, reach);
    case Space::kParam:
      return in_bytes(thread.params, thread.frames.back().params, reach);
    case Space::kGeneric:
      break;
  }
  return in_generic(thread, at, reach, writes);
}

}  // namespace

std::uint8_t* reach(Thread& thread, const Instruction& at, std::uint32_t bytes, bool writes) {
  std::uint64_t address = thread.r[at.a];
  address = at.narrow ? static_cast<std::uint32_t>(address + at.bits) : address + at.bits;
  if ((address & (bytes - 1)) != 0) {
    thread.fail(at, kMisalignedAddress,
                "an access of " + std::to_string(bytes) + " bytes at " + in_hex(address) +
                    " is misaligned");
    return nullptr;
  }
  std::uint8_t* found = in_space(thread, at, {address, bytes}, writes);
  if (found == nullptr) {
    thread.fail(at, kIllegalAddress,
                std::string(writes ? "a write" : "a read") + " of " + std::to_string(bytes) +
                    " bytes at " + in_hex(address) + " is outside of all memory");
  }
  return found;
}

}  // namespace fake_cuda
