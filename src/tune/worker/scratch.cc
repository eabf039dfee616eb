#include "tune/worker/scratch.h"

#include <fcntl.h>
#include <sys/file.h>

#include <string_view>

namespace vyre::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "vyre-worker-";

bool is_scratch(const fs::path& folder) {
  const std::string name = folder.filename();
  return folder.is_absolute() && name.starts_with(kPrefix) && name.size() > kPrefix.size() &&
         name.find_first_not_of("0123456789", kPrefix.size()) == std::string::npos;
}

}  // namespace

std::string scratch_name(int number) { return std::string(kPrefix) + std::to_string(number); }

FileDescriptor lock_scratch(const fs::path& folder) {
  if (!is_scratch(folder)) return {};
  FileDescriptor out(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!out.is_open() || ::flock(out.get(), LOCK_EX | LOCK_NB) != 0) return {};
  return out;
}

void remove_temporary(const fs::path& folder) {
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code ignored;
    if (!it->is_symlink(ignored)) fs::remove_all(it->path(), ignored);
  }
}

void clean_scratch(const fs::path& folder) {
  const FileDescriptor lock = lock_scratch(folder);
  if (lock.is_open()) remove_temporary(folder);
}

}  // namespace vyre::worker
