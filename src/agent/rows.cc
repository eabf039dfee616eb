#include "agent/rows.h"

#include "base/error.h"
#include "base/files/paths.h"
#include "base/hex.h"
#include "base/text.h"
#include "decisions/evidence.h"
#include "decisions/file_content.h"

namespace vyre::agent {
namespace {

constexpr std::size_t kColumns = 7;

// All but the entry: what the entry must say, too.
Row head_of(const SharedDecision& shared, const std::string& identity) {
  return {shared.adapter,
          identity,
          to_string(shared.key),
          std::to_string(evidence_of(shared.decision)),
          std::to_string(shared.decision.supersedes.ids.size()),
          to_hex(entry_hash(shared.decision, identity))};
}

}  // namespace

bool is_shareable(const SharedDecision& shared) {
  return shared.key.version == 2 && shared.decision.samples > 0 &&
         file_stem_of(shared.adapter) == shared.adapter &&
         shared.key == key_of(shared.decision.fingerprint, shared.decision.shape);
}

Expected<Row> to_row(const SharedDecision& shared) {
  const std::string identity = id_of(shared.identity);
  FileContent content;
  content.identities.emplace(identity, shared.identity);
  content.entries.push_back({.key = shared.key, .identity = identity, .decision = shared.decision});
  Row out = head_of(shared, identity);
  out.push_back(print_content(content));
  if (out.back().size() <= kMostEntryBytes) return out;
  return bad_inputs("{}: the decision has {} bytes, more than the {} that a row takes",
                    to_string(shared.key), out.back().size(), kMostEntryBytes);
}

Expected<SharedDecision> from_row(const Row& row) {
  if (row.size() != kColumns) return bad_inputs("it has {} columns", row.size());
  const std::string& text = row.back();
  if (text.size() > kMostEntryBytes) return bad_inputs("its entry has {} bytes", text.size());
  VYRE_TRY(
      const FileContent content,
      parse_content(text, "entry",
                    {.bytes = kMostEntryBytes, .foreign_bytes = kMostEntryBytes, .decisions = 1}));
  if (content.entries.size() != 1 || content.identities.size() != 1) {
    return bad_inputs("its entry is not one decision with its identity");
  }
  SharedDecision out{.adapter = row[0], .identity = content.identities.begin()->second};
  std::string identity;
  content.entries.for_each([&](FileEntry&& entry) {
    out.key = entry.key;
    identity = entry.identity;
    out.decision = std::move(entry.decision);
  });
  if (id_of(out.identity) != identity || !is_shareable(out)) {
    return bad_inputs("its decision and its identity, key or adapter do not fit together");
  }
  if (!std::ranges::equal(head_of(out, identity), std::span(row).first(kColumns - 1))) {
    return bad_inputs("its columns say something else than its entry");
  }
  return out;
}

}  // namespace vyre::agent
