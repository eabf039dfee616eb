// PackedDecision: a Decision in about 200 bytes, made for a fast `find`.
//
// Texts are numbers into a pool. Configurations, shape, runner-up and rarer fields follow the
// struct as bytes. Records live in an arena: they never move, and live as long as the cache. So
// readers need no lock for the fields that are marked as constant.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vyre/decisions.h"

namespace vyre {

struct alignas(16) PackedDecision {
  // The fields that `find` and `is_seed` read come first, in one cache line.
  std::array<std::uint64_t, 4> words{};
  std::uint8_t key_version = 2;
  std::atomic<bool> is_seed{false};  // the one field that changes under readers without a lock

  // Constant from birth.
  Layer layer = Layer::user;
  bool verified = false;
  bool has_runner_up = false;
  bool has_gain = false;
  bool has_superseded = false;
  bool has_drift = false;
  bool has_kernels = false;
  bool host_clock = false;
  std::uint32_t bytes = 0;     // of the whole record, a multiple of its alignment
  std::uint32_t identity = 0;  // texts: numbers into TextPool
  std::uint32_t program_name = 0;
  std::uint32_t space = 0;
  std::uint32_t strategy = 0;
  std::uint32_t version = 0;
  std::uint32_t program = 0;  // number into the table of fingerprints
  std::uint32_t samples = 0;
  std::uint32_t evidence = 0;  // evidence_of the decision
  std::uint32_t tied_candidates = 1;
  Estimate elapsed;
  Estimate default_elapsed;
  std::int64_t decided_at = 0;

  // Changed and read under the cache's lock only.
  bool is_superseded = false;
  bool is_unsaved = false;
  bool is_pinned = false;  // of a snapshot, and in no layer
  PackedDecision* next_of_key = nullptr;
  PackedDecision* next_of_program = nullptr;
};

// Holds every text once, and numbers the texts in the order in which they are first seen.
class TextPool {
 public:
  TextPool() { number(""); }  // so that 0 is the empty text
  std::uint32_t number(std::string_view text);
  const std::string& text(std::uint32_t number) const { return texts_[number]; }
  std::size_t memory_bytes() const { return bytes_; }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::size_t bytes_ = 0;
};

// Memory for records, which stay where they are until the arena is destroyed.
class Arena {
 public:
  std::byte* allocate(std::size_t bytes);  // aligned as a record
  std::size_t memory_bytes() const { return total_; }

  template <class F>
  void for_each(const F& function) const {
    for (const Chunk& chunk : chunks_) {
      for (std::size_t at = 0; at < chunk.used;) {
        auto* record = reinterpret_cast<PackedDecision*>(chunk.bytes.get() + at);
        at += record->bytes;
        function(*record);
      }
    }
  }

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
    std::size_t used = 0;
  };
  std::vector<Chunk> chunks_;
  std::size_t total_ = 0;
};

// A new record in the arena. It does not hold the decision's fingerprint; the caller sets
// `program`, which stands for it.
PackedDecision* pack(Arena& arena, TextPool& texts, const Key& key, const Decision& decision);
// All fields but the fingerprint, which `program` stands for.
Decision unpack(const PackedDecision& packed, const TextPool& texts);
std::vector<std::uint64_t> shape_of(const PackedDecision& packed);

}  // namespace vyre
