#include "tuner/runtime/journal_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "tuner/cache/safe_file.h"

namespace vyre::tuner {
namespace {

// Whoever had it before may have removed it between our opening and our locking it.
bool is_still_there(int descriptor, const std::filesystem::path& path) {
  struct stat ours{};
  struct stat there{};
  return ::fstat(descriptor, &ours) == 0 && ::stat(path.c_str(), &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

}  // namespace

JournalFile::JournalFile(std::filesystem::path path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

JournalFile::JournalFile(JournalFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

JournalFile::~JournalFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<JournalFile> JournalFile::take(const DecisionCache& cache, const Key& key) {
  const std::filesystem::path file = cache.file();
  if (file.empty()) return std::nullopt;
  const auto folder = file.parent_path() / "journals";
  if (!make_folders(folder)) return std::nullopt;
  const auto path = folder / fmt::format("{}-{}.jsonl", file.stem().native(), to_string(key));
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return std::nullopt;
  JournalFile out(path, descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  if (!is_still_there(descriptor, path)) return std::nullopt;
  return out;
}

void JournalFile::remove() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace vyre::tuner
