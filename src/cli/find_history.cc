#include "cli/find_history.h"

#include <algorithm>
#include <cmath>
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

bool is_same(double ns, const Decision& decision) {
  return std::abs(ns - decision.elapsed.ns) <= 1e-6 * decision.elapsed.ns;
}

// The same samples give the same estimate, so a decision knows its campaign again: by what ran side
// by side at the end, the last round of which may not have been whole, or else by the race.
bool rests_on(const Decision& decision, const History& history) {
  return std::ranges::any_of(history.standings, [&](const Standing& s) {
    std::vector<double> ns;
    for (const Sampled& pair : history.pairs) {
      if (pair.index == s.candidate.id) ns.push_back(pair.ns);
    }
    if (ns.empty()) return is_same(s.elapsed.ns, decision);
    if (is_same(estimate(ns).ns, decision)) return true;
    ns.pop_back();
    return is_same(estimate(ns).ns, decision);
  });
}

}  // namespace

Expected<FoundHistory> find_history(const Listed& listed) {
  const fs::path folder = journals_of(listed);
  const std::string program = to_hex(listed.decision.fingerprint);
  std::optional<FoundHistory> other;
  for (const fs::path& file : files_in(folder)) {
    auto journal = read_journal(file);
    if (!journal || word_of(journal->campaign, "program") != program) continue;
    auto history = history_of(*std::move(journal));
    if (!history) continue;
    if (rests_on(listed.decision, *history)) return FoundHistory{*std::move(history), true};
    if (!other) other = FoundHistory{*std::move(history), false};
  }
  if (other) return *std::move(other);
  return bad_inputs("there is no journal of {} in {}; `vyre tune` leaves one, so tune it again",
                    to_string(listed.key), quote(folder.string()));
}

}  // namespace vyre::cli
