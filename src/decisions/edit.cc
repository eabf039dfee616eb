#include "decisions/edit.h"

#include "base/error.h"
#include "base/files/file_lock.h"
#include "base/files/safe_file.h"
#include "base/text.h"

namespace vyre {

Expected<FileContent> read_content(const std::filesystem::path& file) {
  VYRE_TRY(const FileState state, look_at(file));
  if (!state.exists) return io_error("there is no file {}", quote_path(file.native()));
  VYRE_TRY(const std::string text, read_carefully(file, FileLimits{}.bytes));
  return parse_content(text, file.native());
}

Expected<void> edit_content(const std::filesystem::path& file,
                            const std::function<bool(FileContent&)>& change) {
  VYRE_TRY(FileLock lock, FileLock::take(file, CacheOptions{}.lock_seconds));
  remove_orphans(file);
  VYRE_TRY(FileContent content, read_content(file));
  if (!change(content)) return {};
  VYRE_TRY_VOID(publish_content(file, lock, content, {}));
  return {};
}

}  // namespace vyre
