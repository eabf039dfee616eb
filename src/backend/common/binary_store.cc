#include "backend/common/binary_store.h"

#include <system_error>

#include "base/error.h"
#include "base/files/safe_file.h"
#include "base/files/whole_file.h"
#include "base/hex.h"

namespace vyre::backend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "vyre binary 2\n";
constexpr std::string_view kAnyMark = "vyre binary ";
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

std::string_view as_text(const Hash& hash) {
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

Hash seal_of(const Hash& key, std::string_view binary) {
  Blake3 out;
  out.update(key);
  out.update(binary);
  return out.finish();
}

}  // namespace

fs::path BinaryStore::file(const Hash& key) const { return folder_ / (to_hex(key) + ".bin"); }

BinaryStore::Found BinaryStore::load(const Hash& key) const {
  std::error_code ignored;
  if (!keeps() || !fs::exists(file(key), ignored)) return {};
  const auto bytes = read_file(file(key), kMostBytes, Links::refuse);
  constexpr std::size_t kHead = kMark.size() + std::tuple_size_v<Hash>;
  const bool is_older = bytes && bytes->starts_with(kAnyMark) && !bytes->starts_with(kMark);
  if (is_older) return {};
  if (!bytes || bytes->size() <= kHead || !bytes->starts_with(kMark)) return {.damaged = true};
  const std::string_view binary = std::string_view(*bytes).substr(kHead);
  if (bytes->substr(kMark.size(), kHead - kMark.size()) != as_text(seal_of(key, binary))) {
    return {.damaged = true};
  }
  return {.binary = std::string(binary)};
}

Expected<void> BinaryStore::save(const Hash& key, std::string_view binary) const {
  VYRE_TRY_VOID(make_folders(folder_));
  const Hash seal = seal_of(key, binary);
  return write_file_atomically(
      file(key), std::string(kMark) + std::string(as_text(seal)) + std::string(binary),
      kOwnersFile);
}

}  // namespace vyre::backend
