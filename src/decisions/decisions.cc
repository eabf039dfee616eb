#include "vyre/decisions.h"

#include <algorithm>
#include <tuple>

#include "base/blake3.h"
#include "base/byte_writer.h"
#include "base/error.h"
#include "base/files/paths.h"
#include "base/hex.h"
#include "decisions/cache_content.h"
#include "decisions/evidence.h"
#include "decisions/keys.h"
#include "decisions/neighbours.h"

namespace vyre {
namespace {

// How many neighbours are looked at until enough valid ones are found.
constexpr std::size_t kMostHeard = 64;

bool is_kept(Offer offer) { return offer == Offer::kept || offer == Offer::kept_unserved; }

// Whether the original's form of a line holds all of it: a workgroup size, taken on trust.
bool is_original_line(const Key& key, const Decision& decision) {
  const auto size = workgroup_of(decision.config);
  return key.version == 1 && size && decision == Decision{.config = workgroup_config(*size)};
}

bool is_part_of_product(const space::Space& space) {
  double combinations = 1;
  for (const space::Parameter& p : space.parameters()) {
    combinations *= static_cast<double>(p.values.size());
  }
  return static_cast<double>(space.size()) < combinations;
}

void add_rows(ByteWriter& out, const space::Space& space) {
  space::Point point(space.dimensions());
  for (std::uint64_t row = 0; row < space.size(); ++row) {
    space.at(row, point);
    for (const std::uint32_t value : point) out.u32(value);
  }
}

}  // namespace

std::string id_of(const Decision& decision, const Identity& identity) {
  return decision_id(decision, id_of(identity));
}

void supersede(Decision& fresh, const Decision& old, const Identity& identity) {
  note_superseded(fresh, old, id_of(identity));
}

std::optional<double> times_faster(const Decision& decision) {
  if (decision.gain.pairs > 0) return decision.gain.times;
  if (!(decision.elapsed.ns > 0) || !(decision.default_elapsed.ns > 0)) return std::nullopt;
  return decision.default_elapsed.ns / decision.elapsed.ns;
}

Config workgroup_config(const Extent& size) {
  Config out;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    out.set(kWorkgroupNames[axis], std::int64_t{size[axis]});
  }
  return out;
}

std::optional<Extent> workgroup_of(const Config& config) {
  Extent out{1, 1, 1};
  bool any = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Value* value = config.find(kWorkgroupNames[axis]);
    if (value == nullptr) continue;
    const auto* size = std::get_if<std::int64_t>(value);
    if (size == nullptr || *size < 1 || !std::in_range<std::uint32_t>(*size)) return std::nullopt;
    out[axis] = static_cast<std::uint32_t>(*size);
    any = true;
  }
  return any ? std::optional(out) : std::nullopt;
}

std::string_view to_string(Layer layer) {
  switch (layer) {
    case Layer::embedded:
      return "embedded";
    case Layer::system:
      return "system";
    case Layer::fleet:
      return "fleet";
    case Layer::user:
      return "user";
  }
  return "unknown";
}

std::string file_name_of(std::string_view adapter) { return file_stem_of(adapter) + ".toml"; }

std::string digest_of(const space::Space& space) {
  ByteWriter out;
  out.text("vyre space 1");
  out.u64(space.size());
  for (const space::Parameter& parameter : space.parameters()) {
    out.text(parameter.name);
    out.u64(parameter.values.size());
    for (const Value& value : parameter.values) out.text(vyre::to_string(value));
  }
  for (const std::string& constraint : space.constraints()) out.text(constraint);
  // Nothing but its rows says which configurations a listed space has.
  if (space.constraints().empty() && is_part_of_product(space)) add_rows(out, space);
  return to_hex(blake3(out.bytes()));
}

std::string_view reason_of(Offer offer) {
  switch (offer) {
    case Offer::kept:
      return "";
    case Offer::kept_unserved:
      return "another decision for the same key is served: one of today's device and space, or one "
             "with more samples";
    case Offer::less_evidence:
      return "the decision that is there rests on more samples";
    case Offer::superseded:
      return "the decision that is there was measured against it and chosen";
    case Offer::worse_than_default:
      return "it is slower than the default";
    case Offer::no_workgroup_size:
      return "a v1 key takes a workgroup size only, and each axis must be 1 or more";
  }
  return "unknown";
}

DecisionCache::DecisionCache(std::unique_ptr<Content> content) : content_(std::move(content)) {}
DecisionCache::DecisionCache(DecisionCache&&) noexcept = default;
DecisionCache& DecisionCache::operator=(DecisionCache&&) noexcept = default;
DecisionCache::~DecisionCache() = default;

DecisionCache DecisionCache::open(CacheOptions options) {
  auto content = std::make_unique<Content>(std::move(options));
  content->open_embedded();
  content->open_shared();
  if (!content->file.empty()) content->open_users();
  return DecisionCache(std::move(content));
}

DecisionRef DecisionCache::find(const Key& key) const { return content_->records.find(key); }

DecisionRef DecisionCache::find(const ir::Fingerprint& fingerprint,
                                std::span<const std::uint64_t> shape) const {
  return content_->records.find(mixed_key(fingerprint, shape));
}

DecisionRef DecisionCache::nearest(const ir::Fingerprint& fingerprint,
                                   std::span<const std::uint64_t> shape) const {
  const std::shared_lock lock(content_->mutex);
  const auto found = content_->records.nearest(fingerprint, shape, 1);
  return found.empty() ? DecisionRef() : found.front();
}

Neighbourly DecisionCache::from_neighbours(
    const ir::Fingerprint& fingerprint, std::span<const std::uint64_t> shape,
    const std::function<bool(const Config&)>& is_valid) const {
  const std::size_t heard = is_valid ? kMostHeard : kNeighbours;
  std::vector<DecisionRef> found;
  std::vector<Decision> decisions;
  const std::shared_lock lock(content_->mutex);
  for (const DecisionRef ref : content_->records.nearest(fingerprint, shape, heard)) {
    Decision decision = content_->records.read(*ref.get());
    if (found.size() == kNeighbours || (is_valid && !is_valid(decision.config))) continue;
    found.push_back(ref);
    decisions.push_back(std::move(decision));
  }
  if (found.empty()) return {};
  Served served = serve_from(shape, decisions);
  return {found[served.chosen], std::move(served.doubt)};
}

Decision DecisionCache::read(DecisionRef ref) const {
  const std::shared_lock lock(content_->mutex);
  return ref ? content_->records.read(*ref.get()) : Decision{};
}

CacheEntry DecisionCache::entry(DecisionRef ref) const {
  const std::shared_lock lock(content_->mutex);
  return ref ? content_->records.entry_of(*ref.get()) : CacheEntry{};
}

void DecisionCache::pin(std::vector<CacheEntry> snapshot) {
  std::vector<FileEntry> entries;
  for (CacheEntry& one : snapshot) {
    entries.push_back({one.key, std::move(one.identity), std::move(one.decision)});
  }
  const std::unique_lock lock(content_->mutex);
  content_->records.pin(entries);
  content_->generation.fetch_add(1, std::memory_order_release);
}

bool DecisionCache::is_pinned() const {
  const std::shared_lock lock(content_->mutex);
  return content_->records.is_pinned();
}

DecisionRef DecisionCache::find_kept(const Key& key) const {
  const std::shared_lock lock(content_->mutex);
  return content_->records.find_kept(key);
}

Offer DecisionCache::offer(const Key& key, Decision decision) {
  return offer(key, std::move(decision), content_->options.identity);
}

Offer DecisionCache::offer(const Key& key, Decision decision, const Identity& identity) {
  const std::unique_lock lock(content_->mutex);
  const bool is_line = is_original_line(key, decision);
  FileEntry entry{
      .key = key, .identity = is_line ? "" : id_of(identity), .decision = std::move(decision)};
  if (!is_line) content_->identities.emplace(entry.identity, identity);
  const Offer out = content_->records.insert(std::move(entry), Layer::user, Records::Origin::made);
  if (is_kept(out)) content_->generation.fetch_add(1, std::memory_order_release);
  return out;
}

Expected<std::size_t> DecisionCache::import(std::string_view text, std::string_view name) {
  VYRE_TRY(FileContent content, parse_content(text, name, content_->limits()));
  content_->tell_warnings(content);
  const std::unique_lock lock(content_->mutex);
  for (auto& [id, identity] : content.identities) {
    content_->identities.emplace(id, std::move(identity));
  }
  std::size_t kept = 0;
  content.entries.for_each([&](FileEntry&& entry) {
    const Offer offer =
        content_->records.insert(std::move(entry), Layer::user, Records::Origin::imported);
    kept += is_kept(offer) ? 1 : 0;
  });
  content_->generation.fetch_add(1, std::memory_order_release);
  return kept;
}

void DecisionCache::declare_space(const ir::Fingerprint& fingerprint, std::string_view digest) {
  const std::unique_lock lock(content_->mutex);
  content_->records.declare_space(fingerprint, digest);
  content_->generation.fetch_add(1, std::memory_order_release);
}

Expected<bool> DecisionCache::refresh() { return content_->refresh(); }

Expected<void> DecisionCache::save() {
  if (content_->file.empty()) return {};
  return content_->save();
}

std::optional<Error> DecisionCache::load_error() const {
  const std::shared_lock lock(content_->mutex);
  return content_->load_error;
}

std::filesystem::path DecisionCache::file() const { return content_->file; }

const Identity& DecisionCache::identity() const { return content_->options.identity; }

std::uint64_t DecisionCache::generation() const {
  return content_->generation.load(std::memory_order_acquire);
}

std::size_t DecisionCache::size() const {
  const std::shared_lock lock(content_->mutex);
  return content_->records.size();
}

std::size_t DecisionCache::memory_bytes() const {
  const std::shared_lock lock(content_->mutex);
  return content_->records.memory_bytes();
}

std::vector<CacheEntry> DecisionCache::entries() const {
  std::vector<CacheEntry> out;
  const std::shared_lock lock(content_->mutex);
  content_->records.for_each(
      [&](const PackedDecision& record) { out.push_back(content_->records.entry_of(record)); });
  std::ranges::sort(out, {}, [](const CacheEntry& e) {
    return std::tuple(e.key, std::string_view(e.identity), e.layer);
  });
  return out;
}

}  // namespace vyre
