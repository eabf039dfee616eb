// ByteWriter: numbers and text as bytes that mean the same on every machine.
//
// Little-endian, fixed widths, text behind its length. The bytes can be read back, so two different
// lists of values never give the same bytes.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vyre {

class ByteWriter {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(value); }
  void u32(std::uint32_t value) { put(value, 4); }
  void u64(std::uint64_t value) { put(value, 8); }

  template <class Enum>
  void tag(Enum value) {
    static_assert(sizeof(Enum) == 1);
    u8(static_cast<std::uint8_t>(value));
  }

  void text(std::string_view value) {
    u64(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }

  // Without a length: for parts that have a fixed one, or that end themselves.
  void raw(std::span<const std::uint8_t> value) {
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }

  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void put(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) u8(static_cast<std::uint8_t>(value >> (8 * i)));
  }

  std::vector<std::uint8_t> bytes_;
};

}  // namespace vyre
