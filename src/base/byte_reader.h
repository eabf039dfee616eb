// ByteReader: takes apart what a ByteWriter has written, from bytes that may be anything.
//
// A read beyond the end, or of a text that is longer than its limit, gives zeros or nothing, and
// `has_failed` says so from then on: a caller may read a whole record, and ask once.

#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace vyre {

class ByteReader {
 public:
  // The bytes must outlive the reader and the texts that it gives.
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }

  std::string_view text(std::uint64_t most_bytes) {
    const std::uint64_t size = u64();
    return size > most_bytes ? fail() : take(size);
  }

  // A count of records that follow, of which each has at least so many bytes.
  std::uint64_t count(std::uint64_t most, std::uint64_t least_bytes) {
    const std::uint64_t out = u64();
    if (out <= most && out <= left_.size() / least_bytes) return out;
    fail();
    return 0;
  }

  void raw(std::span<std::uint8_t> out) {
    const std::string_view bytes = take(out.size());
    if (bytes.size() == out.size()) std::memcpy(out.data(), bytes.data(), bytes.size());
  }

  bool has_failed() const { return has_failed_; }
  bool is_at_end() const { return left_.empty() && !has_failed_; }

 private:
  std::string_view fail() {
    has_failed_ = true;
    left_ = {};
    return {};
  }

  std::string_view take(std::uint64_t size) {
    if (has_failed_ || size > left_.size()) return fail();
    const std::string_view out = left_.substr(0, size);
    left_.remove_prefix(size);
    return out;
  }

  std::uint64_t number(std::size_t size) {
    std::uint64_t out = 0;
    const std::string_view bytes = take(size);
    for (std::size_t k = bytes.size(); k-- > 0;) {
      out = out << 8U | static_cast<std::uint8_t>(bytes[k]);
    }
    return out;
  }

  std::string_view left_;
  bool has_failed_ = false;
};

}  // namespace vyre
