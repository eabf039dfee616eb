#include "agent/mirror.h"

#include "base/error.h"
#include "base/files/paths.h"
#include "base/files/safe_file.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "decisions/file_content.h"

namespace vyre::agent {
namespace {

// Applications of other users read it.
constexpr unsigned kEverybodysFile = 0644;

// False: the file has this content already.
Expected<bool> replace_file(const std::filesystem::path& file, const std::string& text) {
  const FileLimits limits;
  if (text.size() > limits.bytes) {
    return bad_inputs("{} would have {} bytes, more than the limit of {}",
                      quote_path(file.native()), text.size(), limits.bytes);
  }
  VYRE_TRY_VOID(parse_content(text, file.native()));
  const auto old = read_carefully(file, limits.bytes);
  if (old && *old == text) return false;
  VYRE_TRY_VOID(write_file_atomically(file, text, kEverybodysFile));
  return true;
}

}  // namespace

Expected<void> Mirror::take(const Row& row) {
  if (row.size() < 3 || file_stem_of(row[0]) != row[0]) {
    return bad_inputs("a row of the server is skipped: its adapter is no name of a file");
  }
  auto& places = adapters_[row[0]];
  auto read = from_row(row);
  const auto [slot, is_new] =
      places.insert_or_assign(Place{row[1], row[2]}, read ? std::optional(*read) : std::nullopt);
  if (is_new) ++rows_;
  changed_.insert(row[0]);
  if (read) return {};
  return bad_inputs("the row of key {} for {} is skipped: {}", quote(row[2]), row[0],
                    read.error().message);
}

void Mirror::clear() {
  for (auto& [adapter, places] : adapters_) {
    places.clear();
    changed_.insert(adapter);
  }
  rows_ = 0;
}

const SharedDecision* Mirror::find(const std::string& adapter, const Place& place) const {
  const auto places = adapters_.find(adapter);
  if (places == adapters_.end()) return nullptr;
  const auto slot = places->second.find(place);
  return slot == places->second.end() || !slot->second ? nullptr : &*slot->second;
}

Expected<std::size_t> Mirror::write(const std::filesystem::path& folder) {
  std::size_t written = 0;
  while (!changed_.empty()) {
    const std::string adapter = *changed_.begin();
    FileContent content;
    for (const auto& [place, shared] : adapters_[adapter]) {
      if (!shared) continue;
      content.identities.emplace(place.first, shared->identity);
      content.entries.push_back(
          {.key = shared->key, .identity = place.first, .decision = shared->decision});
    }
    VYRE_TRY(const bool is_new,
             replace_file(folder / file_name_of(adapter), print_content(content)));
    if (is_new) ++written;
    changed_.erase(adapter);
  }
  return written;
}

}  // namespace vyre::agent
