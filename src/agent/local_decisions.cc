#include "agent/local_decisions.h"

#include <system_error>

#include "base/error.h"
#include "decisions/edit.h"
#include "decisions/evidence.h"

namespace vyre::agent {
namespace {

// An identity that is missing in the file, or has another id than its decisions say, cannot travel.
Expected<std::vector<SharedDecision>> read_local(const std::filesystem::path& file) {
  VYRE_TRY(const FileContent content, read_content(file));
  std::vector<SharedDecision> out;
  content.entries.for_each([&](FileEntry&& entry) {
    const auto identity = content.identities.find(entry.identity);
    if (identity == content.identities.end() || id_of(identity->second) != entry.identity) return;
    SharedDecision shared{.adapter = file.stem().string(),
                          .identity = identity->second,
                          .key = entry.key,
                          .decision = std::move(entry.decision)};
    if (is_shareable(shared)) out.push_back(std::move(shared));
  });
  return out;
}

}  // namespace

std::vector<std::string> LocalDecisions::refresh() {
  std::vector<std::string> messages;
  if (folder_.empty()) return messages;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    if (entry.path().extension() != ".toml") continue;
    const auto state = look_at(entry.path());
    File& file = files_[entry.path()];
    if (!state || !state->exists || *state == file.state) continue;
    file.state = *state;
    auto read = read_local(entry.path());
    if (read) {
      file.decisions = *std::move(read);
    } else {
      messages.push_back(read.error().message);
    }
  }
  return messages;
}

std::vector<SharedDecision> LocalDecisions::missing_in(const Mirror& mirror) const {
  std::vector<SharedDecision> out;
  for (const auto& [path, file] : files_) {
    for (const SharedDecision& shared : file.decisions) {
      const std::string identity = id_of(shared.identity);
      const SharedDecision* known = mirror.find(shared.adapter, {identity, to_string(shared.key)});
      if (known == nullptr || is_greater(shared.decision, known->decision, identity)) {
        out.push_back(shared);
      }
    }
  }
  return out;
}

}  // namespace vyre::agent
