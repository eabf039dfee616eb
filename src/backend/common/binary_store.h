// BinaryStore: compiled programs on disk, by content.
//
// A file is named by a hash of everything that decides its bytes, so it can never be out of date.
// It begins with a mark and a hash of its name and of the rest. So damage shows, and so does a file
// that was copied to another name: a binary of another program would run without a complaint. The
// hash is no signature: a user who may write to the folder may run code (docs/security.md).
// Processes may share the folder: a file appears whole or not at all.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/blake3.h"
#include "vyre/error.h"

namespace vyre::backend {

class BinaryStore {
 public:
  // With an empty path the store keeps nothing. The folder is made when the first binary is saved,
  // and only its owner can read it.
  explicit BinaryStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  bool keeps() const { return !folder_.empty(); }

  struct Found {
    std::string binary{};  // empty: the store has none, or it is damaged
    bool damaged = false;
  };
  Found load(const Hash& key) const;

  Expected<void> save(const Hash& key, std::string_view binary) const;

 private:
  std::filesystem::path file(const Hash& key) const;
  std::filesystem::path folder_;
};

}  // namespace vyre::backend
