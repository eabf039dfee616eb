// Index: from a key to its decision, for readers without a lock.
//
// Open addressing with linear probing, at most three quarters full. A slot is empty, then has one
// key for ever; only the decision in it may be replaced, by one writer at a time. A full index is
// followed by one of twice the size; readers that still hold the old one see what it had.

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "tuner/cache/packed.h"

namespace vyre::tuner {

class Index {
 public:
  explicit Index(std::size_t slots)  // a power of two
      : slots_(std::make_unique<Slot[]>(slots)), mask_(slots - 1) {}

  const PackedDecision* find(const Key& key) const {
    for (std::size_t at = key.words[0] & mask_;; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      const PackedDecision* record = slot.record.load(std::memory_order_acquire);
      if (record == nullptr) return nullptr;
      if (slot.hash == key.words[0] && has_key(*record, key)) return record;
    }
  }

  // For the writer. `record` takes the place of the one with its key, or a new one.
  void put(PackedDecision* record) {
    std::size_t at = record->words[0] & mask_;
    PackedDecision* there = nullptr;
    while ((there = slots_[at].record.load(std::memory_order_relaxed)) != nullptr &&
           !same_key(*there, *record)) {
      at = (at + 1) & mask_;
    }
    if (there == nullptr) {
      slots_[at].hash = record->words[0];
      ++used_;
    }
    slots_[at].record.store(record, std::memory_order_release);
  }

  bool is_full() const { return 4 * (used_ + 1) > 3 * (mask_ + 1); }
  std::size_t slots() const { return mask_ + 1; }
  std::size_t memory_bytes() const { return slots() * sizeof(Slot); }

  template <class F>
  void for_each(const F& function) const {
    for (std::size_t at = 0; at <= mask_; ++at) {
      if (auto* record = slots_[at].record.load(std::memory_order_relaxed)) function(record);
    }
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;  // written before the first record is published
    std::atomic<PackedDecision*> record{nullptr};
  };

  static bool has_key(const PackedDecision& record, const Key& key) {
    return record.words == key.words && record.key_version == key.version;
  }
  static bool same_key(const PackedDecision& a, const PackedDecision& b) {
    return a.words == b.words && a.key_version == b.key_version;
  }

  std::unique_ptr<Slot[]> slots_;
  std::size_t mask_;
  std::size_t used_ = 0;
};

}  // namespace vyre::tuner
