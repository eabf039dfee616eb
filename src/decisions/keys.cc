#include "decisions/keys.h"

#include <array>
#include <bit>
#include <cstring>

#include "base/blake3.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/text.h"

namespace vyre {
namespace {

static_assert(std::endian::native == std::endian::little, "keys are little endian in memory");

using namespace std::string_view_literals;
using Bytes = std::array<std::uint8_t, 32>;

constexpr std::size_t kPrefixBytes = 3;

// Without a branch per character.
bool has_capital(std::string_view digits) {
  unsigned found = 0;
  for (const char c : digits) found |= static_cast<unsigned>(c >= 'A' && c <= 'F');
  return found != 0;
}

Key key_from(std::uint32_t version, const Bytes& bytes) {
  return {.version = version, .words = std::bit_cast<std::array<std::uint64_t, 4>>(bytes)};
}

template <class T>
void update_with(Blake3& hash, const T& value) {
  std::array<std::uint8_t, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof(T));
  hash.update(bytes);
}

}  // namespace

// A text has the first byte in front, and a word has it at its lower end.
std::strong_ordering Key::operator<=>(const Key& other) const {
  if (version != other.version) return version <=> other.version;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (words[k] != other.words[k])
      return std::byteswap(words[k]) <=> std::byteswap(other.words[k]);
  }
  return std::strong_ordering::equal;
}

std::string to_string(const Key& key) {
  const auto bytes = std::bit_cast<Bytes>(key.words);
  return fmt::format("v{}-{}", key.version, to_hex(bytes));
}

Expected<Key> parse_key(std::string_view text) {
  const bool is_v1 = text.starts_with("v1-");
  const std::string_view digits = text.substr(std::min(kPrefixBytes, text.size()));
  Bytes bytes{};
  if ((!is_v1 && !text.starts_with("v2-")) || !from_hex(digits, bytes) || has_capital(digits)) {
    return bad_inputs("key {} is not \"v1-\" or \"v2-\" and 64 lower-case hexadecimal digits",
                      quote(text));
  }
  return key_from(is_v1 ? 1 : 2, bytes);
}

Key v1_key(const V1Shape& shape) {
  Blake3 hash;
  hash.update("vyre-driver-workgroup-tuner-v1\0program\0"sv);
  hash.update(shape.fingerprint);
  hash.update("\0workgroup-size\0"sv);
  update_with(hash, shape.workgroup_size);
  hash.update("\0workgroup-count\0"sv);
  hash.update(shape.workgroup_count ? "\x01"sv : "\0"sv);
  if (shape.workgroup_count) update_with(hash, *shape.workgroup_count);
  hash.update("\0output-bytes\0"sv);
  update_with(hash, shape.output_bytes);
  return key_from(1, hash.finish());
}

Key key_of(const ir::Fingerprint& fingerprint, std::span<const std::uint64_t> shape) {
  return mixed_key(fingerprint, shape);
}

}  // namespace vyre
