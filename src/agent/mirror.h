// Mirror: the fleet's decisions as this machine knows them, and the files that applications read.
//
// The files are those of Files::fleet_folder: `<adapter>.toml`, replaced by rename, so that a
// reader never sees half of one and nobody has to lock anything. A file is written only if its
// content changes. The folder should be on the machine's own disk.

#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "agent/rows.h"

namespace vyre::agent {

class Mirror {
 public:
  using Place = std::pair<std::string, std::string>;  // identity, key: as the row has them

  // Takes the row as the server's word for its place. A row that is wrong (see from_row) keeps its
  // place, empty, and the error says why.
  Expected<void> take(const Row& row);
  void clear();

  std::size_t rows() const { return rows_; }  // wrong ones included
  // Null: there is none.
  const SharedDecision* find(const std::string& adapter, const Place& place) const;

  // Writes the files of all adapters that have changed since the last time. The number of files
  // whose content is new. After an error the old file is there, and the next call tries again.
  Expected<std::size_t> write(const std::filesystem::path& folder);

 private:
  std::map<std::string, std::map<Place, std::optional<SharedDecision>>> adapters_;
  std::set<std::string> changed_;
  std::size_t rows_ = 0;
};

}  // namespace vyre::agent
