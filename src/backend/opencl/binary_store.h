// BinaryStore: compiled programs on disk, by content.
//
// A file is named by a hash of everything that decides its bytes, so nothing in it can be stale; it
// begins with a mark and the hash of the rest, so damage shows. Processes may share the folder:
// files appear whole or not at all.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/blake3.h"
#include "vyre/error.h"

namespace vyre::backend::opencl {

class BinaryStore {
 public:
  // An empty folder: keeps nothing. The folder is made when the first binary is saved, for its
  // owner only.
  explicit BinaryStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  bool keeps() const { return !folder_.empty(); }

  struct Found {
    std::string binary{};  // empty: there is none that can be used
    bool damaged = false;  // there was one
  };
  Found load(const Hash& key) const;

  Expected<void> save(const Hash& key, std::string_view binary) const;

 private:
  std::filesystem::path file(const Hash& key) const;
  std::filesystem::path folder_;
};

}  // namespace vyre::backend::opencl
