// FileEntries: the decisions of a file, packed. A file may hold 600 000 of them, which as plain
// structs take four times the memory.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "decisions/packed.h"

namespace vyre {

struct FileEntry {
  Key key = {};
  std::string identity = {};  // id; empty for a line of the original's form
  Decision decision = {};
};

class FileEntries {
 public:
  FileEntries() = default;
  FileEntries(FileEntries&&) noexcept = default;
  FileEntries& operator=(FileEntries&&) noexcept = default;

  void push_back(const FileEntry& entry);
  std::size_t size() const { return records_.size(); }

  // By identity, then by key.
  void sort();
  // How many have gone.
  template <class Predicate>
  std::size_t erase_if(const Predicate& is_gone) {
    return std::erase_if(records_,
                         [&](const PackedDecision* record) { return is_gone(entry_of(*record)); });
  }
  template <class F>
  void for_each(const F& function) const {
    for (const PackedDecision* record : records_) function(entry_of(*record));
  }

 private:
  FileEntry entry_of(const PackedDecision& record) const;

  TextPool texts_;
  Arena arena_;
  std::vector<PackedDecision*> records_;
  std::vector<ir::Fingerprint> fingerprints_ = {ir::Fingerprint{}};  // by PackedDecision::program
};

}  // namespace vyre
