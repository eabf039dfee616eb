#include "agent/sync.h"

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "runtime/wishes.h"

namespace vyre::agent {

Expected<bool> tolerate(const Expected<bool>& result, std::vector<std::string>& messages) {
  if (result) return *result;
  if (result.error().kind == ErrorKind::backend) return std::unexpected(result.error());
  messages.push_back(result.error().message);
  return false;
}

Expected<Synced> Syncer::pass(Store& store) {
  VYRE_TRY(Pulled pulled, store.pull(mirror_));
  Synced out{.pulled = pulled.rows, .messages = std::move(pulled.skipped)};
  VYRE_TRY(out.files, mirror_.write(options_.fleet_folder));
  VYRE_TRY_VOID(publish(store, out));
  VYRE_TRY_VOID(post_wishes(store, out));
  return out;
}

Expected<void> Syncer::publish(Store& store, Synced& synced) {
  std::ranges::move(local_.refresh(), std::back_inserter(synced.messages));
  const std::vector<SharedDecision> missing = local_.missing_in(mirror_);
  if (missing.empty()) return {};
  VYRE_TRY(const bool may, store.may_publish());
  if (!may) return {};
  for (const SharedDecision& shared : missing) {
    VYRE_TRY(const bool is_kept, tolerate(store.publish(shared), synced.messages));
    if (is_kept) ++synced.published;
  }
  return {};
}

Expected<void> Syncer::post_wishes(Store& store, Synced& synced) {
  if (options_.wishes_folder.empty()) return {};
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(options_.wishes_folder, ignored)) {
    const bool is_new = !refused_.contains(entry.path());
    if (entry.path().extension() == ".jsonl" && is_new) files.push_back(entry.path());
  }
  if (files.empty()) return {};
  VYRE_TRY(const bool may, store.may_post());
  if (!may) return {};
  std::ranges::sort(files);
  for (const auto& file : files) VYRE_TRY_VOID(post_file(store, file, synced));
  return {};
}

// The file goes when all of its wishes have arrived; before that, a wish may arrive twice, which is
// counted and nothing else.
Expected<void> Syncer::post_file(Store& store, const std::filesystem::path& file, Synced& synced) {
  const auto text = read_file(file, kMostWishBytes, Links::refuse);
  const auto wishes = text ? parse_wishes(*text, file.native()) : std::unexpected(text.error());
  if (!wishes) {
    synced.messages.push_back(wishes.error().message);
    refused_.insert(file);
    return {};
  }
  for (const Wish& wish : *wishes) {
    VYRE_TRY(const bool is_new, tolerate(store.post(wish), synced.messages));
    if (is_new) ++synced.posted;
  }
  std::error_code error;
  if (std::filesystem::remove(file, error) || !error) return {};
  synced.messages.push_back(fmt::format("{}: was posted and cannot be removed: {}",
                                        quote_path(file.native()), error.message()));
  refused_.insert(file);
  return {};
}

}  // namespace vyre::agent
