// Records: all decisions in memory, by key and by program. Of several decisions for one key, one is
// served.
//
// A snapshot is a set of decisions that is served instead of all others. Its records are copies
// beside those of the layers, and have an index of their own. The index that `find` reads is
// replaced as a whole, so a reader sees the old snapshot or the new one.
//
// `find` needs no lock. All other functions need the cache's lock.

#pragma once

#include <atomic>
#include <memory>
#include <optional>
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

  // The same without the snapshot.
  DecisionRef find_kept(const Key& key) const { return DecisionRef(indexes_.back()->find(key)); }

  // Serves these decisions only, one for each key. A decision that is served already keeps its
  // record.
  void pin(const std::vector<FileEntry>& entries);
  bool is_pinned() const { return !snapshots_.empty(); }

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
      if (!record.is_superseded && !record.is_pinned) function(record);
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
  static Offer contest(FileEntry& fresh, const Decision& old, Origin origin);
  static Offer contest_made(FileEntry& fresh, const Decision& old);
  static std::optional<Offer> contest_line(const FileEntry& fresh, const PackedDecision& old,
                                           Origin origin);
  Offer meet_again(PackedDecision& known, Origin origin) const;
  PackedDecision* add(FileEntry&& entry, Layer layer, Origin origin);
  // A record that is in no layer yet, and not counted.
  PackedDecision* put_record(const FileEntry& entry);
  PackedDecision* pinned_record(const FileEntry& entry);
  void publish(PackedDecision* first_of_key);
  void grow();

  std::string today_;
  TextPool texts_;
  Arena arena_;
  std::vector<ProgramDecisions> programs_;
  std::unordered_map<ir::Fingerprint, std::uint32_t, HashOf> program_numbers_;
  std::vector<std::unique_ptr<KeyIndex>> indexes_;    // of all decisions; the last is in use
  std::vector<std::unique_ptr<KeyIndex>> snapshots_;  // the last is served; readers may hold others
  std::atomic<const KeyIndex*> index_;                // the one that is served
  std::size_t size_ = 0;
};

}  // namespace vyre
