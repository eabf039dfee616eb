#include "cli/find_history.h"

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "base/files/paths.h"
#include "base/hex.h"
#include "base/text.h"

namespace vyre::cli {
namespace {

namespace fs = std::filesystem;

fs::path journals_of(const Listed& listed) { return journals_folder(files_around(listed.file)); }

// The latest first.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".jsonl")
      found.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  std::ranges::sort(found, std::ranges::greater{});
  std::vector<fs::path> out;
  for (auto& [time, file] : found) out.push_back(std::move(file));
  return out;
}

}  // namespace

Expected<FoundHistory> find_history(const Listed& listed) {
  const fs::path folder = journals_of(listed);
  const std::string program = to_hex(listed.decision.fingerprint);
  std::optional<FoundHistory> other;
  for (const fs::path& file : files_in(folder)) {
    auto journal = read_journal(file);
    if (!journal || word_of(journal->campaign, "program") != program) continue;
    auto history = history_of(*journal);
    if (!history) continue;
    const bool is_its_own = rests_on(listed.decision, *history);
    FoundHistory found{*std::move(journal), *std::move(history), file, is_its_own};
    if (is_its_own) return found;
    if (!other) other = std::move(found);
  }
  if (other) return *std::move(other);
  return bad_inputs("there is no journal of {} in {}; `vyre tune` leaves one, so tune it again",
                    to_string(listed.key), quote_path(folder.string()));
}

}  // namespace vyre::cli
