#include "base/files/paths.h"

#include <algorithm>
#include <span>

#include "base/blake3.h"
#include "base/hex.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 128;

bool is_safe(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

fs::path below(const Files& files, const char* folder) {
  return files.folder.empty() ? fs::path() : files.folder / folder;
}

fs::path file_in(const fs::path& folder, const std::string& name) {
  return folder.empty() ? fs::path() : folder / name;
}

}  // namespace

std::string file_stem_of(std::string_view adapter) {
  std::string name(adapter.substr(0, kLongestName));
  std::ranges::replace_if(name, [](char c) { return !is_safe(c); }, '_');
  for (std::size_t k = 0; k < name.size() && name[k] == '.'; ++k) name[k] = '_';
  if (name.empty() || name != adapter) {
    const Hash hash = blake3(adapter);
    name += "-" + to_hex(std::span(hash).first(4));
  }
  return name;
}

fs::path decisions_folder(const Files& files) { return below(files, "tuner"); }

fs::path decisions_file(const Files& files, std::string_view adapter) {
  return file_in(decisions_folder(files), file_stem_of(adapter) + ".toml");
}

fs::path quarantine_file(const Files& files, std::string_view adapter) {
  return file_in(decisions_folder(files), file_stem_of(adapter) + ".quarantine.jsonl");
}

fs::path rates_file(const Files& files, std::string_view adapter) {
  return file_in(decisions_folder(files), file_stem_of(adapter) + ".rates.json");
}

fs::path journals_folder(const Files& files) { return below(files, "journals"); }

fs::path journal_file(const Files& files, std::string_view adapter, std::string_view key) {
  std::string name = file_stem_of(adapter) + "-";
  name += key;
  return file_in(journals_folder(files), name + ".jsonl");
}

fs::path kernels_folder(const Files& files) { return below(files, "kernels"); }

fs::path trying_file(const fs::path& journal) {
  return fs::path(journal).replace_extension(".trying");
}

Files files_around(const fs::path& decisions_file) {
  const fs::path folder = fs::absolute(decisions_file).parent_path();
  if (folder.filename() != "tuner") return {};
  return {.folder = folder.parent_path()};
}

}  // namespace vyre
