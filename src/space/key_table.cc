#include "space/key_table.h"

namespace vyre::space::detail {

std::pair<std::size_t, bool> KeyTable::find_or_add(std::span<const std::uint64_t> key) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (const std::uint64_t word : key) {
    hash = (hash ^ word) * 0xbf58476d1ce4e5b9;
    hash ^= hash >> 31;
  }
  std::size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::size_t at = slots_[slot] - 1;
    const Entry& entry = entries_[at];
    const auto words = std::span(words_).subspan(entry.offset, entry.length);
    if (entry.hash == hash && std::ranges::equal(words, key)) return {at, false};
  }
  entries_.push_back({hash, words_.size(), static_cast<std::uint32_t>(key.size()), 0});
  words_.insert(words_.end(), key.begin(), key.end());
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  if (entries_.size() * 2 > slots_.size()) grow();
  return {entries_.size() - 1, true};
}

void KeyTable::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = entries_[i].hash & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace vyre::space::detail
