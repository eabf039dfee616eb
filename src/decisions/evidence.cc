#include "decisions/evidence.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/byte_writer.h"
#include "base/hex.h"
#include "decisions/file_content.h"

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

void note_superseded(Decision& fresh, const Decision& old, std::string_view identity) {
  constexpr std::size_t kMostIds = 16;  // of a chain; older decisions are hardly met any more
  std::vector<std::string> ids{decision_id(old, identity)};
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& id : more) {
      const bool is_known = std::ranges::find(ids, id) != ids.end();
      if (ids.size() < kMostIds && !is_known) ids.push_back(id);
    }
  };
  add(old.supersedes.ids);
  add(fresh.supersedes.ids);
  fresh.supersedes.ids = std::move(ids);
  const std::uint32_t evidence = evidence_of(old);
  const bool is_most = evidence == std::numeric_limits<std::uint32_t>::max();
  fresh.supersedes.samples = std::max(fresh.supersedes.samples, is_most ? evidence : evidence + 1);
}

Hash entry_hash(const Decision& decision, std::string_view identity) {
  ByteWriter bytes;
  bytes.text("vyre entry 1");
  bytes.text(identity);
  bytes.text(toml::print_inline({fields_of(decision)}));
  return blake3(bytes.bytes());
}

bool is_greater(const Decision& a, const Decision& b, std::string_view identity) {
  const auto rank = [](const Decision& d) {
    return std::tuple(evidence_of(d), d.supersedes.ids.size());
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  return a != b && entry_hash(a, identity) > entry_hash(b, identity);
}

}  // namespace vyre
