#include "report/journal_chapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "recording/column.h"

namespace vyre::report {
namespace {

// What a worker's seconds went into, by the kind of answer that it gave.
enum Spent : std::uint8_t { kAdmitting, kSampling, kRacing, kPairing, kVerifying, kSpent };

// Reads a journal line by line; each configuration becomes an entrant when it is first named.
class Reader {
 public:
  explicit Reader(Chapter& chapter) : chapter_(chapter) {}

  void read(const std::vector<JournalLine>& lines) {
    for (const JournalLine& line : lines) {
      chapter_.seconds = std::max(chapter_.seconds, line.answer.seconds);
      if (line.entry != Entry::late) take(line);
    }
  }

  Entrant* find(std::uint64_t index) {
    const auto found = places_.find(index);
    return found == places_.end() ? nullptr : &chapter_.entrants[found->second];
  }
  const std::array<double, kSpent>& spent() const { return spent_; }
  const std::vector<Config>& configs() const { return configs_; }

 private:
  Entrant& entrant_of(const JournalLine& line) {
    const auto [found, is_new] =
        places_.try_emplace(line.answer.work.index, chapter_.entrants.size());
    if (is_new) {
      chapter_.entrants.push_back({.index = line.answer.work.index});
      configs_.emplace_back();
    }
    if (!line.config.empty()) configs_[found->second] = line.config;
    return chapter_.entrants[found->second];
  }

  void take(const JournalLine& line) {
    Entrant& entrant = entrant_of(line);
    if (line.entry == Entry::begin) return;
    const Result& result = line.answer.result;
    const bool is_known = line.entry == Entry::known;
    if (!is_known) spend(line.entry, entrant, result);
    if (result.status != Status::ok) {
      entrant.ending = is_known ? Ending::shunned : Ending::failed;
      entrant.status = result.status;
      entrant.why = line.answer.why;
    }
    if (is_known) return;
    if (entrant.place == 0) entrant.place = ++answered_;
    const bool is_first = line.entry != Entry::admit || result.status != Status::ok;
    if (is_first && entrant.at_seconds < 0) entrant.at_seconds = line.answer.seconds;
  }

  void spend(Entry entry, Entrant& entrant, const Result& result) {
    const auto kind = static_cast<std::size_t>(entry) - static_cast<std::size_t>(Entry::admit);
    const double seconds = result.compile_seconds + result.run_seconds;
    const double verifying = std::min(result.verify_seconds, seconds);
    spent_[kind] += seconds - verifying;
    spent_[kVerifying] += verifying;
    (entry == Entry::admit ? entrant.admit_seconds : entrant.run_seconds) += seconds;
  }

  Chapter& chapter_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
  std::vector<Config> configs_;  // of the entrants
  std::array<double, kSpent> spent_{};
  std::uint64_t answered_ = 0;
};

// The parameters are those of the first configuration that is named. A configuration without one of
// them stays without its values: no campaign writes such a line.
void add_parameters(Chapter& chapter, const std::vector<Config>& configs) {
  const auto first = std::ranges::find_if(configs, [](const Config& c) { return !c.empty(); });
  if (first == configs.end()) {
    if (configs.empty()) return;
    chapter.notes.emplace_back(
        "This journal is of an older version and does not name the values of its configurations: "
        "parameters are not shown. A new campaign names them.");
    return;
  }
  std::vector<recording::Column> columns;
  for (const auto& [name, value] : first->entries()) columns.emplace_back(name);
  recording::Recording rows;
  std::vector<Entrant*> of_row;
  for (std::size_t k = 0; k < configs.size(); ++k) {
    space::Point point;
    for (recording::Column& column : columns) {
      const Value* value = configs[k].find(column.name());
      if (value == nullptr) break;
      point.push_back(column.add(*value));
    }
    if (point.size() != columns.size()) continue;
    rows.rows.push_back({.point = std::move(point)});
    of_row.push_back(&chapter.entrants[k]);
  }
  if (!recording::finish_columns(std::move(columns), false, rows)) return;
  chapter.parameters = std::move(rows.parameters);
  for (std::size_t k = 0; k < of_row.size(); ++k) of_row[k]->point = std::move(rows.rows[k].point);
}

Ending ending_of(const Standing& standing, const std::optional<Outcome>& outcome) {
  if (standing.fate == Fate::failed) return Ending::failed;
  if (outcome && standing.candidate.id == outcome->winner) return Ending::chosen;
  if (outcome && std::ranges::find(outcome->tied, standing.candidate.id) != outcome->tied.end()) {
    return Ending::tied;
  }
  return standing.fate == Fate::racing ? Ending::racing : Ending::dropped;
}

void add_race(Chapter& chapter, const ReadJournal& journal, Reader& reader) {
  History history = retell(journal);
  for (const Standing& standing : history.standings) {
    Entrant* entrant = reader.find(standing.candidate.id);
    if (entrant == nullptr) continue;
    entrant->ending = ending_of(standing, history.outcome);
    entrant->elapsed = standing.elapsed;
    entrant->samples_ns = standing.samples_ns;
  }
  if (Entrant* standard = reader.find(history.default_index)) standard->is_default = true;
  if (!history.samples.empty()) chapter.history = std::move(history);
}

std::string about_time(bool is_split, bool knows_search) {
  std::string out = "Where the time went: ";
  if (!is_split) {
    out +=
        "the journal is of an older version, which records compiling, the first run and "
        "verifying as one number. ";
  }
  out += knows_search ? "Waiting" : "Searching (which a journal tells at its end), waiting";
  return out +
         " for the device's turn and starting workers are not recorded: they are what the other "
         "parts leave of the clock, times the workers.";
}

void add_time(Chapter& chapter, const std::array<double, kSpent>& spent, double search_seconds) {
  const bool is_split = spent[kVerifying] > 0;
  const std::array<TimePart, kSpent + 1> parts{
      {{is_split ? "compile" : "compile and verify", spent[kAdmitting]},
       {"verify", spent[kVerifying]},
       {"samples of the search", spent[kSampling]},
       {"final race", spent[kRacing]},
       {"beside the default", spent[kPairing]},
       {"search", search_seconds}}};
  double sum = 0;
  for (const TimePart& part : parts) {
    sum += part.seconds;
    if (part.seconds > 0) chapter.time.push_back(part);
  }
  const double rest = chapter.seconds * chapter.workers - sum;
  const bool knows_search = search_seconds > 0;
  if (rest > 0) {
    chapter.time.push_back({knows_search ? "waiting, rest" : "search, waiting, rest", rest});
  }
  if (!chapter.time.empty()) chapter.notes.push_back(about_time(is_split, knows_search));
}

void add_about(Chapter& chapter, const std::string& campaign) {
  const std::string workers = word_of(campaign, "workers");
  int count = 0;
  std::from_chars(workers.data(), workers.data() + workers.size(), count);
  chapter.workers = std::clamp(count, 1, 1024);
  for (const char* word :
       {"strategy", "seed", "workers", "in_flight", "shape", "space", "program"}) {
    if (std::string text = word_of(campaign, word); !text.empty()) {
      chapter.about.push_back({word, std::move(text)});
    }
  }
}

bool is_same(const Config& config, const Config& other) {
  return !config.empty() && config.size() == other.size() &&
         std::ranges::all_of(config.entries(), [&](const auto& entry) {
           const Value* value = other.find(entry.first);
           return value != nullptr && space::equal_in_python(*value, entry.second);
         });
}

// The runs beside the default come after the race, and a winner may give way to the default then.
// So the decision says who was chosen.
void mark_choice(Chapter& chapter, const Config& config) {
  const auto is_it = [&](const Entrant& e) { return is_same(config_of(chapter, e), config); };
  const auto chosen = std::ranges::find_if(chapter.entrants, is_it);
  if (chosen == chapter.entrants.end() || chosen->ending == Ending::failed) return;
  for (Entrant& entrant : chapter.entrants) {
    if (entrant.ending == Ending::chosen) entrant.ending = Ending::racing;
  }
  chosen->ending = Ending::chosen;
}

}  // namespace

Chapter chapter_of(const ReadJournal& journal, std::string source) {
  Chapter out{.title = word_of(journal.campaign, "name"), .source = std::move(source)};
  if (out.title.empty()) out.title = "a campaign without a name";
  add_about(out, journal.campaign);
  Reader reader(out);
  reader.read(journal.lines);
  add_parameters(out, reader.configs());
  add_race(out, journal, reader);
  add_time(out, reader.spent(), journal.search_seconds);
  return out;
}

Chapter chapter_of(const Listed& listed, const ReadJournal* journal, std::string source) {
  Chapter out = journal != nullptr ? chapter_of(*journal, std::move(source)) : Chapter{};
  const Decision& decision = listed.decision;
  out.title = decision.program.empty() ? to_string(listed.key) : decision.program;
  out.device = listed.identity.device;
  out.decided = listed;
  mark_choice(out, decision.config);
  if (journal == nullptr) {
    out.notes.emplace_back(
        "The journal of this decision is gone or has no samples, so only the decision itself can "
        "be shown. `vyre tune` leaves a journal.");
  }
  return out;
}

}  // namespace vyre::report
