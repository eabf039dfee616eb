#include "decisions/evidence.h"

#include <algorithm>

#include "base/blake3.h"
#include "base/byte_writer.h"
#include "base/hex.h"

namespace vyre {

std::string decision_id(const Decision& decision, std::string_view identity) {
  auto entries = decision.config.entries();
  std::ranges::sort(entries, {}, &std::pair<std::string, Value>::first);
  ByteWriter bytes;
  bytes.text("vyre decision 1");
  bytes.text(identity);
  for (const auto& [name, value] : entries) {
    bytes.text(name);
    bytes.text(vyre::to_string(value));
  }
  bytes.u32(decision.samples);
  bytes.u64(static_cast<std::uint64_t>(decision.decided_at));
  const Hash hash = blake3(bytes.bytes());
  return to_hex(std::span(hash).first(8));
}

std::uint32_t evidence_of(const Decision& decision) {
  return std::max(decision.samples, decision.supersedes.samples);
}

bool has_superseded(const Decision& fresh, const Decision& old, std::string_view identity) {
  const auto& ids = fresh.supersedes.ids;
  return !ids.empty() && std::ranges::find(ids, decision_id(old, identity)) != ids.end();
}

}  // namespace vyre
