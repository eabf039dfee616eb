#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <tuple>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "decisions/fields.h"
#include "decisions/mix.h"
#include "decisions/neighbours.h"
#include "decisions/records.h"
#include "decisions/safe_file.h"
#include "vyre/decisions.h"

namespace vyre {
namespace {

// How many neighbours are looked at for valid ones.
constexpr std::size_t kMostHeard = 64;
constexpr std::size_t kMostWarnings = 10;  // per file

struct LoadedFile {
  FileState state;
  FileContent content;
};

// The state is taken before the content: at worst a later save reads once more than it must.
Expected<LoadedFile> load(const std::filesystem::path& file, std::uint64_t limit) {
  LoadedFile out;
  VYRE_TRY(out.state, look_at(file));
  VYRE_TRY(const std::string text, read_carefully(file, limit));
  VYRE_TRY(out.content, parse_content(text, file.native()));
  return out;
}

bool is_kept(Offer offer) { return offer == Offer::kept || offer == Offer::kept_unserved; }

// Whether the original's form of a line holds all of it: a workgroup size, taken on trust.
bool is_original_line(const Key& key, const Decision& decision) {
  const auto size = workgroup_of(decision.config);
  return key.version == 1 && size && decision == Decision{.config = workgroup_config(*size)};
}

}  // namespace

std::string_view reason_of(Offer offer) {
  switch (offer) {
    case Offer::kept:
      return "";
    case Offer::kept_unserved:
      return "another decision for the same key is served: one of today's device and space, or one "
             "with more samples";
    case Offer::less_evidence:
      return "the decision that is there rests on more samples";
    case Offer::worse_than_default:
      return "it is slower than the default";
    case Offer::no_workgroup_size:
      return "a v1 key takes a workgroup size only, and each axis must be 1 or more";
  }
  return "unknown";
}

struct DecisionCache::Content {
  explicit Content(CacheOptions given)
      : options(std::move(given)), today(id_of(options.identity)), records(today) {
    file = options.file;
    if (file.empty() && !options.folder.empty()) {
      file = options.folder / file_name_of(options.adapter);
    }
  }

  void tell(EventKind kind, std::string message) const {
    if (options.events) options.events({.kind = kind, .message = std::move(message)});
  }

  void tell_warnings(const FileContent& content) const {
    const std::size_t shown = std::min(content.warnings.size(), kMostWarnings);
    for (std::size_t k = 0; k < shown; ++k) tell(EventKind::warning, content.warnings[k]);
    if (content.warnings.size() > shown) {
      tell(EventKind::warning,
           fmt::format("{} more entries are skipped; `vyre cache verify` lists them",
                       content.warnings.size() - shown));
    }
  }

  // Under the lock.
  void take(FileContent&& content, Layer layer) {
    for (auto& [id, identity] : content.identities) identities.emplace(id, std::move(identity));
    for (FileEntry& entry : content.entries) {
      records.insert(std::move(entry), layer, Records::Origin::file);
    }
    if (layer == Layer::user) rest = std::move(content.rest);
    generation.fetch_add(1, std::memory_order_release);
  }

  void open_layer(Layer layer, Expected<FileContent>&& content) {
    if (!content) return tell(EventKind::file_refused, content.error().message);
    tell_warnings(*content);
    take(*std::move(content), layer);
  }

  void open_users() {
    auto loaded = load(file, options.limit_bytes);
    if (!loaded) {
      load_error = loaded.error();
      return tell(EventKind::file_refused, loaded.error().message);
    }
    state = loaded->state;
    tell_warnings(loaded->content);
    take(std::move(loaded->content), Layer::user);
  }

  // What the file is to hold, and which records that are.
  FileContent users_content(std::vector<PackedDecision*>& unsaved) const {
    FileContent out{.rest = rest};
    records.for_each([&](PackedDecision& record) {
      if (record.layer != Layer::user) return;
      CacheEntry entry = records.entry_of(record);
      if (const auto it = identities.find(entry.identity); it != identities.end()) {
        out.identities.insert(*it);
      }
      out.entries.push_back({entry.key, std::move(entry.identity), std::move(entry.decision)});
      if (record.is_unsaved) unsaved.push_back(&record);
    });
    return out;
  }

  Expected<void> merge_from_disk(std::uint64_t version_now) {
    VYRE_TRY(const FileState now, look_at(file));
    {
      const std::shared_lock lock(mutex);
      if (!load_error && now == state && version_now == version) return {};
    }
    auto loaded = load(file, options.limit_bytes);
    const std::unique_lock lock(mutex);
    if (!loaded) {
      load_error = loaded.error();
      return std::unexpected(loaded.error());
    }
    load_error.reset();
    state = loaded->state;
    take(std::move(loaded->content), Layer::user);
    return {};
  }

  Expected<void> save() {
    const std::lock_guard one_saver(saving);
    VYRE_TRY_VOID(make_folders(file.parent_path()));
    VYRE_TRY(FileLock lock, FileLock::take(file, options.lock_seconds));
    remove_orphans(file);
    VYRE_TRY_VOID(merge_from_disk(lock.version()));
    std::vector<PackedDecision*> unsaved;
    FileContent content;
    {
      const std::shared_lock reading(mutex);
      content = users_content(unsaved);
    }
    if (unsaved.empty()) return {};
    VYRE_TRY(const std::uint64_t next, lock.next_version());
    VYRE_TRY_VOID(write_file_atomically(file, print_content(content), kOwnersFile));
    VYRE_TRY(const FileState written, look_at(file));
    const std::unique_lock writing(mutex);
    state = written;
    version = next;
    for (PackedDecision* record : unsaved) record->is_unsaved = false;
    return {};
  }

  CacheOptions options;
  std::string today;
  std::filesystem::path file;
  std::mutex saving;
  mutable std::shared_mutex mutex;  // of everything below, but for Records::find
  Records records;
  std::map<std::string, Identity> identities;
  toml::Table rest;
  FileState state;            // of the file that was read or written last,
  std::uint64_t version = 0;  // and what the lock said of it; 0: read without the lock
  std::optional<Error> load_error;
  std::atomic<std::uint64_t> generation{1};
};

DecisionCache::DecisionCache(std::unique_ptr<Content> content) : content_(std::move(content)) {}
DecisionCache::DecisionCache(DecisionCache&&) noexcept = default;
DecisionCache& DecisionCache::operator=(DecisionCache&&) noexcept = default;
DecisionCache::~DecisionCache() = default;

DecisionCache DecisionCache::open(CacheOptions options) {
  auto content = std::make_unique<Content>(std::move(options));
  const CacheOptions& given = content->options;
  if (!given.embedded.empty()) {
    content->open_layer(Layer::embedded, parse_content(given.embedded, "embedded decisions"));
  }
  if (!given.system_folder.empty()) {
    auto loaded = load(given.system_folder / file_name_of(given.adapter), given.limit_bytes);
    content->open_layer(Layer::system, loaded ? Expected<FileContent>(std::move(loaded->content))
                                              : std::unexpected(loaded.error()));
  }
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
  VYRE_TRY(FileContent content, parse_content(text, name));
  content_->tell_warnings(content);
  const std::unique_lock lock(content_->mutex);
  for (auto& [id, identity] : content.identities) {
    content_->identities.emplace(id, std::move(identity));
  }
  std::size_t kept = 0;
  for (FileEntry& entry : content.entries) {
    const Offer offer =
        content_->records.insert(std::move(entry), Layer::user, Records::Origin::imported);
    kept += is_kept(offer) ? 1 : 0;
  }
  content_->generation.fetch_add(1, std::memory_order_release);
  return kept;
}

void DecisionCache::declare_space(const ir::Fingerprint& fingerprint, std::string_view digest) {
  const std::unique_lock lock(content_->mutex);
  content_->records.declare_space(fingerprint, digest);
  content_->generation.fetch_add(1, std::memory_order_release);
}

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
