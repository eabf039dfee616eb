#include "decisions/cache_content.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files/file_lock.h"
#include "base/fork.h"

namespace vyre {
namespace {

constexpr std::size_t kMostWarnings = 10;  // per file

}  // namespace

// The state is taken before the content. If the file is replaced in between, the next save reads it
// once more than it must, which is harmless.
Expected<LoadedFile> load_decisions(const std::filesystem::path& file, const FileLimits& limits) {
  LoadedFile out;
  VYRE_TRY(out.state, look_at(file));
  VYRE_TRY(const std::string text, read_carefully(file, limits.bytes));
  VYRE_TRY(out.content, parse_content(text, file.native(), limits));
  return out;
}

DecisionCache::Content::Content(CacheOptions given)
    : options(std::move(given)),
      today(id_of(options.identity)),
      forks(fork_generation()),
      records(today) {
  file = options.file;
  if (file.empty() && !options.folder.empty()) {
    file = options.folder / file_name_of(options.adapter);
  }
  const auto share = [this](Layer layer, const std::filesystem::path& folder) {
    if (folder.empty()) return;
    shared.push_back({.layer = layer, .file = folder / file_name_of(options.adapter), .state = {}});
  };
  share(Layer::system, options.system_folder);
  share(Layer::fleet, options.fleet_folder);
}

void DecisionCache::Content::tell(EventKind kind, std::string message) const {
  if (options.events) options.events({.kind = kind, .message = std::move(message)});
}

void DecisionCache::Content::tell_warnings(const FileContent& content) const {
  const std::size_t shown = std::min(content.warnings.size(), kMostWarnings);
  for (std::size_t k = 0; k < shown; ++k) tell(EventKind::warning, content.warnings[k]);
  if (content.warnings.size() > shown) {
    tell(EventKind::warning,
         fmt::format("{} more entries are skipped; `vyre cache verify` lists them",
                     content.warnings.size() - shown));
  }
}

void DecisionCache::Content::take(FileContent&& content, Layer layer) {
  for (auto& [id, identity] : content.identities) identities.emplace(id, std::move(identity));
  content.entries.for_each(
      [&](FileEntry&& entry) { records.insert(std::move(entry), layer, Records::Origin::file); });
  if (layer == Layer::user) rest = std::move(content.rest);
  generation.fetch_add(1, std::memory_order_release);
}

void DecisionCache::Content::open_embedded() {
  if (options.embedded.empty()) return;
  auto content = parse_content(options.embedded, "embedded decisions", limits());
  if (!content) return tell(EventKind::file_refused, content.error().message);
  tell_warnings(*content);
  take(*std::move(content), Layer::embedded);
}

void DecisionCache::Content::open_shared() {
  for (SharedFile& one : shared) {
    const auto read = refresh_shared(one);
    if (!read) tell(EventKind::file_refused, read.error().message);
  }
}

Expected<bool> DecisionCache::Content::refresh_shared(SharedFile& one) {
  VYRE_TRY(const FileState now, look_at(one.file));
  if (now == one.state) return false;
  VYRE_TRY(LoadedFile loaded, load_decisions(one.file, limits()));
  tell_warnings(loaded.content);
  const std::unique_lock lock(mutex);
  one.state = loaded.state;
  take(std::move(loaded.content), one.layer);
  return true;
}

void DecisionCache::Content::open_users() {
  auto loaded = load_decisions(file, limits());
  if (!loaded) {
    load_error = loaded.error();
    return tell(EventKind::file_refused, loaded.error().message);
  }
  state = loaded->state;
  tell_warnings(loaded->content);
  take(std::move(loaded->content), Layer::user);
}

Expected<bool> DecisionCache::Content::refresh_users() {
  if (file.empty()) return false;
  VYRE_TRY(const FileState now, look_at(file));
  {
    const std::shared_lock lock(mutex);
    if (!load_error && now == state) return false;
  }
  VYRE_TRY_VOID(read_users());
  return true;
}

Expected<bool> DecisionCache::Content::refresh() {
  const std::lock_guard no_saver(saving);
  bool has_changed = false;
  std::optional<Error> first;
  const auto count = [&](Expected<bool>&& one) {
    if (one) has_changed = has_changed || *one;
    if (!one && !first) first = std::move(one).error();
  };
  for (SharedFile& one : shared) count(refresh_shared(one));
  count(refresh_users());
  if (first) return std::unexpected(*std::move(first));
  return has_changed;
}

FileContent DecisionCache::Content::users_content(std::vector<PackedDecision*>& unsaved) const {
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

Expected<void> DecisionCache::Content::merge_from_disk(std::uint64_t version_now) {
  VYRE_TRY(const FileState now, look_at(file));
  {
    const std::shared_lock lock(mutex);
    if (!load_error && now == state && version_now == version) return {};
  }
  return read_users();
}

Expected<void> DecisionCache::Content::read_users() {
  auto loaded = load_decisions(file, limits());
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

Expected<void> DecisionCache::Content::save() {
  if (forks != fork_generation()) {
    return bad_inputs(
        "a cache of decisions cannot be saved in a child of the process that opened it; open "
        "another after the fork");
  }
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
  VYRE_TRY(const std::uint64_t next, publish_content(file, lock, content, limits()));
  VYRE_TRY(const FileState written, look_at(file));
  const std::unique_lock writing(mutex);
  state = written;
  version = next;
  for (PackedDecision* record : unsaved) record->is_unsaved = false;
  return {};
}

}  // namespace vyre
