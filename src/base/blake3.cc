#include "base/blake3.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace vyre {
namespace {

using Message = std::array<std::uint32_t, 16>;
using State = std::array<std::uint32_t, 16>;

enum Flag : std::uint32_t { kChunkStart = 1, kChunkEnd = 2, kParent = 4, kRoot = 8 };

constexpr std::size_t kRounds = 7;

// The message word that each round takes at each place: every round permutes the previous order.
constexpr auto kSchedule = [] {
  constexpr std::array<std::uint8_t, 16> permutation{2, 6,  3,  10, 7, 0,  4,  13,
                                                     1, 11, 12, 5,  9, 14, 15, 8};
  std::array<std::array<std::uint8_t, 16>, kRounds> schedule{};
  for (std::uint8_t i = 0; i < 16; ++i) schedule[0][i] = i;
  for (std::size_t round = 1; round < kRounds; ++round) {
    for (std::size_t i = 0; i < 16; ++i) {
      schedule[round][i] = schedule[round - 1][permutation[i]];
    }
  }
  return schedule;
}();

template <int a, int b, int c, int d>
void mix(State& v, std::uint32_t x, std::uint32_t y) {
  v[a] += v[b] + x;
  v[d] = std::rotr(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 12);
  v[a] += v[b] + y;
  v[d] = std::rotr(v[d] ^ v[a], 8);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 7);
}

// The round is a template argument so that all indices are constants and the state stays in
// registers.
template <std::size_t round>
void mix_all(State& v, const Message& m) {
  constexpr auto& at = kSchedule[round];
  mix<0, 4, 8, 12>(v, m[at[0]], m[at[1]]);
  mix<1, 5, 9, 13>(v, m[at[2]], m[at[3]]);
  mix<2, 6, 10, 14>(v, m[at[4]], m[at[5]]);
  mix<3, 7, 11, 15>(v, m[at[6]], m[at[7]]);
  mix<0, 5, 10, 15>(v, m[at[8]], m[at[9]]);
  mix<1, 6, 11, 12>(v, m[at[10]], m[at[11]]);
  mix<2, 7, 8, 13>(v, m[at[12]], m[at[13]]);
  mix<3, 4, 9, 14>(v, m[at[14]], m[at[15]]);
}

std::uint32_t load_word(const std::uint8_t* bytes) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  } else {
    return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
           std::uint32_t{bytes[3]} << 24;
  }
}

}  // namespace

const Blake3::Words Blake3::kStart{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// The input of one compression. Only at the end is it known whether a node is the root, so the
// input is kept apart from its result.
struct Blake3::Node {
  Words chaining{};
  Message message{};
  std::uint64_t counter = 0;
  std::uint32_t bytes = kBlockBytes;
  std::uint32_t flags = 0;

  static Node parent(const Words& left, const Words& right) {
    Node node{.chaining = kStart, .flags = kParent};
    std::ranges::copy(left, node.message.begin());
    std::ranges::copy(right, node.message.begin() + 8);
    return node;
  }

  Words compress(std::uint32_t extra_flags = 0) const {
    State v{};
    std::ranges::copy(chaining, v.begin());
    std::copy_n(kStart.begin(), 4, v.begin() + 8);
    v[12] = static_cast<std::uint32_t>(counter);
    v[13] = static_cast<std::uint32_t>(counter >> 32);
    v[14] = bytes;
    v[15] = flags | extra_flags;
    [&]<std::size_t... round>(std::index_sequence<round...>) {
      (mix_all<round>(v, message), ...);
    }(std::make_index_sequence<kRounds>{});
    Words out{};
    for (std::size_t i = 0; i < 8; ++i) out[i] = v[i] ^ v[i + 8];
    return out;
  }
};

Blake3::Node Blake3::last_block() const {
  Node node{.chaining = chaining_,
            .counter = chunks_done_,
            .bytes = static_cast<std::uint32_t>(block_bytes_),
            .flags = blocks_done_ == 0 ? std::uint32_t{kChunkStart} : 0U};
  for (std::size_t i = 0; i < 16; ++i) node.message[i] = load_word(&block_[i * 4]);
  return node;
}

void Blake3::end_block() {
  const bool ends_chunk = blocks_done_ + 1 == kChunkBlocks;
  chaining_ = last_block().compress(ends_chunk ? kChunkEnd : 0U);
  block_ = {};
  block_bytes_ = 0;
  ++blocks_done_;
  if (!ends_chunk) return;
  add_chunk(chaining_);
  chaining_ = kStart;
  blocks_done_ = 0;
}

// Two subtrees of the same size become one, as in a binary counter. More input follows when this is
// called, so none of these parents is the root.
void Blake3::add_chunk(Words chaining) {
  ++chunks_done_;
  for (auto bits = chunks_done_; (bits & 1) == 0; bits >>= 1) {
    chaining = Node::parent(subtrees_[--depth_], chaining).compress();
  }
  subtrees_[depth_++] = chaining;
}

// A full block waits for the next byte: the last block of all must still be here in `finish`.
void Blake3::update(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    if (block_bytes_ == kBlockBytes) end_block();
    const auto taken = std::min(bytes.size(), kBlockBytes - block_bytes_);
    std::memcpy(&block_[block_bytes_], bytes.data(), taken);
    block_bytes_ += taken;
    bytes = bytes.subspan(taken);
  }
}

void Blake3::update(std::string_view text) {
  update({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

Hash Blake3::finish() const {
  Node node = last_block();
  node.flags |= kChunkEnd;
  for (auto i = depth_; i > 0; --i) node = Node::parent(subtrees_[i - 1], node.compress());
  const Words words = node.compress(kRoot);
  Hash out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::uint8_t>(words[i / 4] >> (i % 4 * 8));
  }
  return out;
}

Hash blake3(std::span<const std::uint8_t> bytes) {
  Blake3 hasher;
  hasher.update(bytes);
  return hasher.finish();
}

Hash blake3(std::string_view text) {
  Blake3 hasher;
  hasher.update(text);
  return hasher.finish();
}

}  // namespace vyre
