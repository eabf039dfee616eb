#include "runtime/journal_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <utility>

#include "decisions/safe_file.h"

namespace vyre {
namespace {

constexpr std::string_view kEnding = ".jsonl";

std::filesystem::path folder_of(const DecisionCache& cache) {
  return cache.file().parent_path() / "journals";
}

std::string name_start(const DecisionCache& cache) { return cache.file().stem().native() + "-"; }

bool is_older(const std::filesystem::path& journal, const Decision& decision) {
  struct stat there{};
  return ::stat(journal.c_str(), &there) == 0 && there.st_mtime <= decision.decided_at;
}

}  // namespace

std::optional<JournalFile> JournalFile::take(const DecisionCache& cache, const Key& key) {
  if (cache.file().empty() || !make_folders(folder_of(cache))) return std::nullopt;
  const auto path =
      folder_of(cache) / fmt::format("{}{}{}", name_start(cache), to_string(key), kEnding);
  FileDescriptor descriptor(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kOwnersFile));
  if (!descriptor.is_open()) return std::nullopt;
  if (::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  if (!is_still(descriptor.get(), path)) return std::nullopt;
  return JournalFile(path, std::move(descriptor));
}

std::filesystem::path JournalFile::note() const {
  return std::filesystem::path(path_).replace_extension(".trying");
}

// The journal last: whoever finds it finds the rest.
void JournalFile::remove() {
  std::error_code ignored;
  std::filesystem::remove(note(), ignored);
  std::filesystem::remove(path_, ignored);
}

void remove_old_journals(const DecisionCache& cache) {
  if (cache.file().empty()) return;
  const std::string start = name_start(cache);
  std::error_code error;
  std::vector<Key> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of(cache), error)) {
    const std::string file = entry.path().filename().native();
    std::string_view name = file;
    if (!name.starts_with(start) || !name.ends_with(kEnding)) continue;
    name.remove_prefix(start.size());
    name.remove_suffix(kEnding.size());
    const auto key = parse_key(name);
    const DecisionRef found = key ? cache.find(*key) : DecisionRef();
    if (found && is_older(entry.path(), cache.read(found))) old.push_back(*key);
  }
  for (const Key& key : old) {
    if (auto journal = JournalFile::take(cache, key)) journal->remove();
  }
}

}  // namespace vyre
