// CallCache: something that was found out about calls, by CallKey.
//
// Thread-safe. Calls with different keys rarely share a lock: there are many, each held while a
// short list is searched. A hit allocates nothing. The calls that were made longest ago give way to
// new ones; a value stays alive as long as somebody holds it.

#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/call_key.h"

namespace vyre::backend {

template <class T>
class CallCache {
 public:
  // Null: an ordinary miss.
  std::shared_ptr<const T> find(const CallKey& key) {
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    const auto it = find_in(shard, key);
    if (it == shard.entries.end()) return nullptr;
    it->last_used = ++shard.clock;
    return it->value;
  }

  // Replaces what is there. `sequence` is that of the key, and is kept alive.
  void insert(const CallKey& key, const ir::Sequence& sequence, std::shared_ptr<const T> value) {
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    auto it = find_in(shard, key);
    if (it == shard.entries.end()) {
      if (shard.entries.size() == kMostOfShard) {
        shard.entries.erase(std::ranges::min_element(shard.entries, {}, &Entry::last_used));
      }
      const auto words = key.words();
      shard.entries.push_back({key.hash(), {words.begin(), words.end()}, sequence, nullptr});
      it = shard.entries.end() - 1;
    }
    it->last_used = ++shard.clock;
    it->value = std::move(value);
  }

  void clear() {
    for (Shard& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      shard.entries.clear();
    }
  }

 private:
  static constexpr std::size_t kShards = 32;
  static constexpr std::size_t kMostOfShard = 64;

  struct Entry {
    std::uint64_t hash = 0;
    std::vector<std::uint64_t> words;
    ir::Sequence sequence;
    std::shared_ptr<const T> value;
    std::uint64_t last_used = 0;
  };
  struct alignas(64) Shard {
    std::mutex mutex;
    std::vector<Entry> entries;
    std::uint64_t clock = 0;
  };

  Shard& shard_of(const CallKey& key) { return shards_[(key.hash() >> 32U) % kShards]; }

  static auto find_in(Shard& shard, const CallKey& key) {
    return std::ranges::find_if(shard.entries, [&](const Entry& entry) {
      return entry.hash == key.hash() && std::ranges::equal(entry.words, key.words());
    });
  }

  std::array<Shard, kShards> shards_;
};

}  // namespace vyre::backend
