#include "tune/journal_file.h"

#include <fcntl.h>
#include <sys/file.h>

#include <utility>

#include "base/error.h"
#include "base/files/safe_file.h"
#include "base/files/whole_file.h"
#include "base/text.h"

namespace vyre {

Expected<std::optional<JournalFile>> JournalFile::take(const std::filesystem::path& path) {
  VYRE_TRY_VOID(make_folders(path.parent_path()));
  FileDescriptor descriptor(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kOwnersFile));
  if (!descriptor.is_open()) {
    return io_error("cannot write the journal {}: {}; check the folder", quote(path.native()),
                    last_error());
  }
  const bool is_ours = ::flock(descriptor.get(), LOCK_EX | LOCK_NB) == 0;
  if (!is_ours || !is_still(descriptor.get(), path)) return std::nullopt;
  return JournalFile(path, std::move(descriptor));
}

}  // namespace vyre
