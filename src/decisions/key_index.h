// KeyIndex: from a key to its decision, for readers without a lock.
//
// A hash table with open addressing. Its buckets have four places in one cache line and are at most
// three quarters full. A lookup compares all four places at once, without branches: which place
// matches is random, so a branch would be mispredicted. A place is empty at first and then belongs
// to one key for ever; only its decision may be replaced, by one writer at a time. An index that is
// full is followed by one of twice the size. Readers that still hold the old one see the decisions
// that it had.

#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>

#include "decisions/packed.h"

namespace vyre {

class KeyIndex {
 public:
  explicit KeyIndex(std::size_t buckets)  // a power of two
      : buckets_(std::make_unique<Bucket[]>(buckets)), mask_(buckets - 1) {}

  const PackedDecision* find(const Key& key) const {
    const std::uint64_t hash = hash_of(key.words);
    for (std::size_t at = key.words[1] & mask_;; at = (at + 1) & mask_) {
      const Bucket& bucket = buckets_[at];
      for (unsigned match = bucket.places_of(hash); match != 0; match &= match - 1) {
        const auto place = static_cast<std::size_t>(std::countr_zero(match));
        const PackedDecision* record = bucket.records[place].load(std::memory_order_acquire);
        if (has_key(*record, key)) return record;
      }
      if (!bucket.is_full()) return nullptr;
    }
  }

  // For the one writer. Replaces the record with the same key, or takes a new place.
  void put(PackedDecision* record) {
    const std::uint64_t hash = hash_of(record->words);
    for (std::size_t at = record->words[1] & mask_;; at = (at + 1) & mask_) {
      Bucket& bucket = buckets_[at];
      for (std::size_t place = 0; place < kPlaces; ++place) {
        const PackedDecision* there = bucket.records[place].load(std::memory_order_relaxed);
        if (there != nullptr && !same_key(*there, *record)) continue;
        bucket.records[place].store(record, std::memory_order_release);
        if (there != nullptr) return;
        bucket.hashes[place].store(hash, std::memory_order_release);
        ++used_;
        return;
      }
    }
  }

  bool is_full() const { return 4 * (used_ + 1) > 3 * kPlaces * buckets(); }
  std::size_t buckets() const { return mask_ + 1; }
  std::size_t memory_bytes() const { return buckets() * sizeof(Bucket); }

  template <class F>
  void for_each(const F& function) const {
    for (std::size_t at = 0; at <= mask_; ++at) {
      for (const auto& place : buckets_[at].records) {
        if (auto* record = place.load(std::memory_order_relaxed)) function(record);
      }
    }
  }

 private:
  static constexpr std::size_t kPlaces = 4;

  // A hash is published after its record, and 0 means that there is none yet.
  struct alignas(64) Bucket {
    std::array<std::atomic<std::uint64_t>, kPlaces> hashes{};
    std::array<std::atomic<PackedDecision*>, kPlaces> records{};

    unsigned places_of(std::uint64_t hash) const {
      unsigned out = 0;
      for (unsigned k = 0; k < kPlaces; ++k) {
        out |= static_cast<unsigned>(hashes[k].load(std::memory_order_acquire) == hash) << k;
      }
      return out;
    }
    bool is_full() const { return hashes.back().load(std::memory_order_acquire) != 0; }
  };

  static std::uint64_t hash_of(const std::array<std::uint64_t, 4>& words) { return words[0] | 1U; }
  // Word by word: a key that was just made is not loaded as a whole (see key_of).
  static bool has_key(const PackedDecision& record, const Key& key) {
    return record.words[0] == key.words[0] && record.words[1] == key.words[1] &&
           record.words[2] == key.words[2] && record.words[3] == key.words[3] &&
           record.key_version == key.version;
  }
  static bool same_key(const PackedDecision& a, const PackedDecision& b) {
    return a.words == b.words && a.key_version == b.key_version;
  }

  std::unique_ptr<Bucket[]> buckets_;
  std::size_t mask_;
  std::size_t used_ = 0;
};

}  // namespace vyre
