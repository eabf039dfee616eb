#include "recording/load_text.h"

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/gzip.h"
#include "base/text.h"

namespace vyre::recording {

Expected<std::string> load_text(const std::filesystem::path& path, const FileLimits& limits) {
  VYRE_TRY(std::string bytes, read_named_file(path, limits.file_bytes));
  if (!is_gzip(bytes)) return bytes;
  auto text = gunzip(bytes, limits.unpacked_bytes);
  if (!text) return bad_inputs("{}: {}", quote_path(path.native()), text.error().message);
  return text;
}

}  // namespace vyre::recording
