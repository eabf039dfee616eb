// KeyTable: a map from keys (words of any number) to trie nodes, made for many small keys.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vyre::space::detail {

class KeyTable {
 public:
  struct Entry {
    std::uint64_t hash = 0;
    std::size_t offset = 0;
    std::uint32_t length = 0;
    std::uint32_t node = 0;
  };

  // The entry of `key`, and whether it is new. The caller sets the node of a new entry.
  std::pair<std::size_t, bool> find_or_add(std::span<const std::uint64_t> key);

  std::uint32_t& node(std::size_t entry) { return entries_[entry].node; }
  std::size_t size() const { return entries_.size(); }

 private:
  void grow();

  std::vector<std::uint64_t> words_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64);  // entry + 1, or 0
};

}  // namespace vyre::space::detail
