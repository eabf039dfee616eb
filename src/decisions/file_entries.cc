#include "decisions/file_entries.h"

#include <algorithm>
#include <tuple>

namespace vyre {

// Decisions of one program mostly stand together or share nothing, so only the last fingerprint is
// looked at before a new one is kept.
void FileEntries::push_back(const FileEntry& entry) {
  PackedDecision* record = pack(arena_, texts_, entry.key, entry.decision);
  record->identity = texts_.number(entry.identity);
  if (entry.decision.fingerprint != ir::Fingerprint{}) {
    if (fingerprints_.back() != entry.decision.fingerprint) {
      fingerprints_.push_back(entry.decision.fingerprint);
    }
    record->program = static_cast<std::uint32_t>(fingerprints_.size() - 1);
  }
  records_.push_back(record);
}

void FileEntries::sort() {
  std::ranges::sort(records_, {}, [this](const PackedDecision* r) {
    return std::tuple(std::string_view(texts_.text(r->identity)),
                      Key{.version = r->key_version, .words = r->words});
  });
}

FileEntry FileEntries::entry_of(const PackedDecision& record) const {
  FileEntry out{.key = {.version = record.key_version, .words = record.words},
                .identity = texts_.text(record.identity),
                .decision = unpack(record, texts_)};
  out.decision.fingerprint = fingerprints_[record.program];
  return out;
}

}  // namespace vyre
