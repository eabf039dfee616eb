// BLAKE3: the hash behind fingerprints, keys and content addresses.
//
// The plain hash mode with 32 bytes of output; no keys, no derivation, no longer output. Portable
// and single-threaded: made for keys of some hundred bytes (about 0.15 us per 64) rather than for
// files of gigabytes. Nothing allocates, nothing fails.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace vyre {

using Hash = std::array<std::uint8_t, 32>;

// A value: a copy continues on its own, so that a common prefix need be hashed only once.
class Blake3 {
 public:
  // How the input is cut into updates does not matter.
  void update(std::span<const std::uint8_t> bytes);
  void update(std::string_view text);

  // The hash of all bytes so far; more may follow.
  Hash finish() const;

 private:
  static constexpr std::size_t kBlockBytes = 64;
  static constexpr std::size_t kChunkBlocks = 16;
  static constexpr std::size_t kMaxDepth = 54;  // 2^64 bytes are 2^54 chunks

  using Words = std::array<std::uint32_t, 8>;
  struct Node;

  Node last_block() const;
  void end_block();
  void add_chunk(Words chaining);

  static const Words kStart;

  std::array<std::uint8_t, kBlockBytes> block_{};  // of the current chunk, not yet compressed
  std::size_t block_bytes_ = 0;
  std::size_t blocks_done_ = 0;  // of the current chunk
  Words chaining_ = kStart;
  std::uint64_t chunks_done_ = 0;
  std::array<Words, kMaxDepth> subtrees_{};  // one per set bit of chunks_done_, largest first
  std::size_t depth_ = 0;
};

Hash blake3(std::span<const std::uint8_t> bytes);
Hash blake3(std::string_view text);

}  // namespace vyre
