#include "tune/journal_file.h"

#include <fcntl.h>

#include <utility>

#include "base/error.h"
#include "base/files/safe_file.h"
#include "base/text.h"

namespace vyre {

Expected<std::optional<JournalFile>> JournalFile::take(const std::filesystem::path& path) {
  VYRE_TRY_VOID(make_folders(path.parent_path()));
  auto descriptor = open_own(path, O_RDWR);
  if (!descriptor) {
    return io_error("cannot write the journal {}: {}; check the folder", quote_path(path.native()),
                    descriptor.error().message);
  }
  auto locked = LockedFile::try_lock(*std::move(descriptor));
  if (!locked || !is_still(locked->get(), path)) return std::nullopt;
  return JournalFile(path, *std::move(locked));
}

}  // namespace vyre
