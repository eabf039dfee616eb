#include "tune/hints.h"

#include <algorithm>
#include <map>

#include "tune/history.h"

namespace vyre {
namespace {

// In today's names.
Config renamed(const Config& config, const Problem& problem) {
  Config out;
  for (const auto& [name, value] : config.entries()) {
    const auto is_former = [&](const auto& names) { return names.second == name; };
    const auto it = std::ranges::find_if(problem.former_names, is_former);
    out.set(it == problem.former_names.end() ? name : it->first, value);
  }
  return out;
}

// A kernel keeps its name when its text is edited, and mostly what is fast.
bool is_of_earlier_text(const Decision& decision, const Problem& problem) {
  return !decision.program.empty() && decision.program == problem.sequence.def().name;
}

}  // namespace

Hint hint_of(const space::Space& space, const Decision& decision) {
  Hint out;
  // A time that is not known is no worse than any other: all that counts is that it won.
  const double won = decision.elapsed.ns > 0 ? decision.elapsed.ns : 1;
  if (const auto index = space.find(decision.config)) out.times.push_back({*index, won});
  if (!decision.runner_up) return out;
  const double second = std::max(won, decision.runner_up->elapsed.ns);
  if (const auto index = space.find(decision.runner_up->config)) {
    out.times.push_back({*index, second});
  }
  return out;
}

std::vector<Hint> hints_from(const DecisionCache& cache, const Problem& problem) {
  std::vector<Hint> out;
  for (CacheEntry& entry : cache.entries()) {
    Decision& decision = entry.decision;
    if (decision.fingerprint != problem.sequence.fingerprint()) {
      if (!is_of_earlier_text(decision, problem)) continue;
      decision.config = renamed(decision.config, problem);
      if (decision.runner_up) {
        decision.runner_up->config = renamed(decision.runner_up->config, problem);
      }
    }
    Hint hint = hint_of(problem.space, decision);
    if (!hint.times.empty()) out.push_back(std::move(hint));
  }
  return out;
}

Hint hint_from_journal(const std::filesystem::path& file, std::string_view campaign,
                       const space::Space& space) {
  Hint out;
  const auto journal = read_journal(file);
  if (!journal || journal->campaign == campaign) return out;
  for (const char* word : {"program", "space"}) {
    if (word_of(journal->campaign, word) != word_of(campaign, word)) return out;
  }
  // The least of a few noisy times says enough: a hint is trusted as far as it agrees.
  std::map<std::uint64_t, double> least;
  for (const JournalLine& line : journal->lines) {
    const Work& work = line.answer.work;
    const Result& result = line.answer.result;
    const bool counts =
        work.index < space.size() && result.status == Status::ok && result.time_ms > 0;
    if (!counts) continue;
    const auto [it, is_new] = least.try_emplace(work.index, result.time_ms);
    it->second = std::min(it->second, result.time_ms);
  }
  for (const auto& [index, time] : least) out.times.push_back({index, time});
  return out;
}

}  // namespace vyre
