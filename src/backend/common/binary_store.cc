#include "backend/common/binary_store.h"

#include <system_error>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/hex.h"
#include "base/text.h"

namespace vyre::backend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "vyre binary 1\n";
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

std::string_view as_text(const Hash& hash) {
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

}  // namespace

fs::path BinaryStore::file(const Hash& key) const { return folder_ / (to_hex(key) + ".bin"); }

BinaryStore::Found BinaryStore::load(const Hash& key) const {
  std::error_code ignored;
  if (!keeps() || !fs::exists(file(key), ignored)) return {};
  const auto bytes = read_file(file(key), kMostBytes);
  constexpr std::size_t kHead = kMark.size() + std::tuple_size_v<Hash>;
  if (!bytes || bytes->size() <= kHead || !bytes->starts_with(kMark)) return {.damaged = true};
  const std::string_view binary = std::string_view(*bytes).substr(kHead);
  if (bytes->substr(kMark.size(), kHead - kMark.size()) != as_text(blake3(binary))) {
    return {.damaged = true};
  }
  return {.binary = std::string(binary)};
}

Expected<void> BinaryStore::save(const Hash& key, std::string_view binary) const {
  std::error_code error;
  if (fs::create_directories(folder_, error)) {
    fs::permissions(folder_, fs::perms::owner_all, error);
  }
  if (error) {
    return io_error("cannot make the folder {}: {}", quote(folder_.string()), error.message());
  }
  return write_file_atomically(
      file(key), std::string(kMark) + std::string(as_text(blake3(binary))) + std::string(binary));
}

}  // namespace vyre::backend
