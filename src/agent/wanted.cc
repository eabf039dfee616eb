#include "agent/wanted.h"

#include <optional>
#include <system_error>

#include "agent/numbers.h"
#include "agent/own_problems.h"
#include "base/error.h"
#include "base/files/paths.h"
#include "base/text.h"
#include "decisions/edit.h"

namespace vyre::agent {
namespace {

Expected<ProblemSizes> parse_sizes(const std::vector<std::string>& texts) {
  ProblemSizes out;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const auto number =
        equals == std::string::npos ? std::nullopt : to_number(text.substr(equals + 1));
    if (!number || *number == 0 || equals == 0) {
      return bad_inputs("--size {}: write it as NAME=NUMBER, the number above 0", quote(text));
    }
    out[text.substr(0, equals)] = *number;
  }
  return out;
}

// A decision for the key that says what it is about.
std::optional<Wish> find_key(const std::filesystem::path& folder, const Key& key) {
  std::optional<Wish> out;
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(folder, ignored)) {
    if (file.path().extension() != ".toml") continue;
    const auto content = read_content(file.path());
    if (!content) continue;
    content->entries.for_each([&](FileEntry&& entry) {
      const Decision& d = entry.decision;
      if (entry.key != key || key_of(d.fingerprint, d.shape) != key) return;
      out = Wish{.key = key,
                 .program = d.program,
                 .fingerprint = d.fingerprint,
                 .shape = d.shape,
                 .ranks = 1};
    });
  }
  return out;
}

Expected<Wish> wish_for_key(const std::string& word, const std::filesystem::path& fleet_folder,
                            const DeviceInfo& device) {
  VYRE_TRY(const Key key, parse_key(word));
  auto wish = find_key(decisions_folder(from_env().files), key);
  if (!wish) wish = find_key(fleet_folder, key);
  if (!wish) {
    return bad_inputs(
        "{}: no decision of another device tells what this key is about; name the "
        "problem's file instead",
        word);
  }
  wish->identity = id_of(identity_of(device));
  return *std::move(wish);
}

}  // namespace

Expected<std::vector<Wish>> wanted_wishes(const std::vector<std::string>& words,
                                          const std::vector<std::string>& sizes,
                                          const std::filesystem::path& fleet_folder,
                                          const DeviceInfo& device) {
  VYRE_TRY(const ProblemSizes named, parse_sizes(sizes));
  std::vector<Wish> out;
  for (const std::string& word : words) {
    if (word.starts_with("v2-")) {
      VYRE_TRY(Wish wish, wish_for_key(word, fleet_folder, device));
      out.push_back(std::move(wish));
      continue;
    }
    VYRE_TRY(const Problem problem, load_own(word, device, named));
    VYRE_TRY(Wish wish, wish_for(problem, device));
    out.push_back(std::move(wish));
  }
  return out;
}

}  // namespace vyre::agent
