// Memory: the allocations of one context, at addresses that no host memory has, and the windows of
// generic addresses.
//
// An address that is outside of every allocation by even one byte is found, which is stricter than
// a card. New memory is filled with kPoison, so that a program that trusts fresh memory to be zero
// is found, too.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

namespace fake_cuda {

inline constexpr std::uint64_t kSharedWindow = 0x0100'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x0110'0000'0000;
inline constexpr std::uint64_t kParamWindow = 0x0120'0000'0000;
inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kGlobalStart = 0x0200'0000'0000;

inline constexpr std::uint8_t kPoison = 0xA5;
inline constexpr std::uint64_t kPoisonWord = 0xA5A5'A5A5'A5A5'A5A5;

struct Allocation {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::unique_ptr<std::uint8_t[]> data;
  bool of_module = false;  // a variable: cuMemFree refuses it
  bool constant = false;

  bool holds(std::uint64_t address, std::uint64_t count) const {
    return address >= begin && count <= bytes && address - begin <= bytes - count;
  }
  std::uint8_t* at(std::uint64_t address) const { return data.get() + (address - begin); }
};

class Memory {
 public:
  explicit Memory(std::uint64_t total_bytes) : total_(total_bytes) {}

  // Null where the memory does not suffice.
  Allocation* allocate(std::uint64_t bytes);
  // False where no allocation begins there.
  bool release(std::uint64_t address);

  // The allocation that has all these bytes, or null.
  const Allocation* find(std::uint64_t address, std::uint64_t bytes) const;

  std::uint64_t free_bytes() const { return total_ - used_; }
  std::uint64_t total_bytes() const { return total_; }

 private:
  std::uint64_t total_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t next_ = kGlobalStart;
  std::map<std::uint64_t, Allocation> allocations_;
};

}  // namespace fake_cuda
