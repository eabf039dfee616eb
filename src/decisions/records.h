// Records: all decisions in memory, by key and by program. Of several decisions for one key, one is
// served.
//
// `find` needs no lock. All other functions need the cache's lock.

#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decisions/file_content.h"
#include "decisions/key_index.h"
#include "decisions/packed.h"

namespace vyre {

class Records {
 public:
  explicit Records(std::string today);  // id of today's identity

  DecisionRef find(const Key& key) const {
    return DecisionRef(index_.load(std::memory_order_acquire)->find(key));
  }

  // Where a decision comes from: the file of its layer, another file, or a tuner just now.
  enum class Origin : std::uint8_t { file, imported, made };
  Offer insert(FileEntry&& entry, Layer layer, Origin origin);

  // At most `most` decisions of other shapes, one per shape, nearest first.
  std::vector<DecisionRef> nearest(const ir::Fingerprint& fingerprint,
                                   std::span<const std::uint64_t> shape, std::size_t most) const;
  void declare_space(const ir::Fingerprint& fingerprint, std::string_view digest);

  Decision read(const PackedDecision& record) const;
  CacheEntry entry_of(const PackedDecision& record) const;

  template <class F>
  void for_each(const F& function) const {
    arena_.for_each([&](PackedDecision& record) {
      if (!record.is_superseded) function(record);
    });
  }

  std::size_t size() const { return size_; }
  std::size_t memory_bytes() const;

 private:
  struct ProgramDecisions {
    ir::Fingerprint fingerprint{};
    PackedDecision* first = nullptr;  // of its decisions
    std::uint32_t space = 0;          // today's; 0: not declared
  };
  struct HashOf {
    std::size_t operator()(const ir::Fingerprint& f) const;
  };

  std::uint32_t program_number(const ir::Fingerprint& fingerprint);
  bool is_seed(const PackedDecision& record) const;
  Offer contest(const FileEntry& fresh, const PackedDecision& old, Origin origin) const;
  PackedDecision* add(FileEntry&& entry, Layer layer, Origin origin);
  void publish(PackedDecision* first_of_key);
  void grow();

  std::string today_;
  TextPool texts_;
  Arena arena_;
  std::vector<ProgramDecisions> programs_;
  std::unordered_map<ir::Fingerprint, std::uint32_t, HashOf> program_numbers_;
  std::vector<std::unique_ptr<KeyIndex>> indexes_;  // the last is in use
  std::atomic<const KeyIndex*> index_;
  std::size_t size_ = 0;
};

}  // namespace vyre
