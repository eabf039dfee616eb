// `vyre report`: campaigns, decisions and recordings as one HTML page.

#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/decisions.h"
#include "cli/find_history.h"
#include "report/journal_chapter.h"
#include "report/recording_chapter.h"

namespace vyre::cli {
namespace {

constexpr std::size_t kMostDecisions = 20;

struct ReportCommand {
  std::vector<std::string> subjects;
  std::string out = "report.html";
  std::string file;
};

// What the page will have.
struct Collected {
  std::vector<report::Chapter> chapters = {};
  std::vector<std::string> notes = {};
};

// A key or a name has neither a folder nor one of these endings.
bool names_file(const std::string& subject) {
  return subject.contains('/') ||
         std::ranges::any_of(std::array{".jsonl", ".json", ".gz", ".csv"},
                             [&](const char* end) { return subject.ends_with(end); });
}

Expected<void> add_file(const std::string& file, Collected& to) {
  if (file.ends_with(".jsonl")) {
    VYRE_TRY(const ReadJournal journal, read_journal(file));
    to.chapters.push_back(report::chapter_of(journal, file));
    return {};
  }
  VYRE_TRY(const recording::Recording recording, recording::read_recording(file));
  report::Chapter chapter =
      report::chapter_of(recording, std::filesystem::path(file).filename().string(), file);
  for (const std::string& warning : recording.warnings) chapter.notes.push_back(warning);
  to.chapters.push_back(std::move(chapter));
  return {};
}

void add_decision(const Listed& listed, Collected& to) {
  const auto found = find_history(listed);
  report::Chapter chapter = report::chapter_of(listed, found ? &found->journal : nullptr,
                                               found ? found->file.string() : "");
  if (found && !found->is_of_decision) {
    chapter.notes.emplace_back(
        "The journal of this decision is gone. What is shown below the decision is a later "
        "campaign "
        "of the same program, whose times may differ.");
  }
  to.chapters.push_back(std::move(chapter));
}

// The newest first, so that what was tuned last stands on top.
void add_decisions(std::vector<Listed> listed, Collected& to) {
  std::ranges::sort(listed, [](const Listed& a, const Listed& b) {
    const std::int64_t first = a.decision.decided_at;
    const std::int64_t second = b.decision.decided_at;
    return first != second ? first > second : a.key < b.key;
  });
  if (listed.size() > kMostDecisions) {
    to.notes.push_back(fmt::format(
        "The newest {} of {} decisions. `vyre report KEY` shows any other, `vyre cache list` names "
        "them all.",
        kMostDecisions, listed.size()));
    listed.resize(kMostDecisions);
  }
  for (const Listed& l : listed) add_decision(l, to);
}

Expected<Collected> collect(const ReportCommand& o) {
  Collected out;
  if (o.subjects.empty()) {
    VYRE_TRY(auto listed, decisions_of(o.file));
    if (listed.empty()) {
      return bad_inputs(
          "there are no decisions yet; run `vyre tune`, or give a journal or a T4 file");
    }
    add_decisions(std::move(listed), out);
    return out;
  }
  for (const std::string& subject : o.subjects) {
    if (names_file(subject)) {
      VYRE_TRY_VOID(add_file(subject, out));
    } else {
      VYRE_TRY(auto found, find_decisions(o.file, subject));
      add_decisions(std::move(found), out);
    }
  }
  return out;
}

Expected<void> make_report(const ReportCommand& o) {
  VYRE_TRY_VOID(check_writable(o.out));
  VYRE_TRY(Collected collected, collect(o));
  const std::string html = report::html_of(
      collected.chapters, {.version = VYRE_VERSION, .notes = std::move(collected.notes)});
  VYRE_TRY_VOID(write_file_atomically(o.out, html));
  fmt::print("{}: {} campaign(s)\n", escaped(o.out), collected.chapters.size());
  return {};
}

}  // namespace

void add_report(Command& vyre, Context& context) {
  auto o = std::make_shared<ReportCommand>();
  Command command = vyre.add("report", "Show decisions, campaigns and recordings as one HTML page");
  command.option("what", o->subjects,
                 "Keys of decisions or names of programs, or how one starts; journals (*.jsonl); "
                 "recordings (T4, CSV, Kernel Tuner's cache files); none: the newest decisions, 20 "
                 "at most");
  command.option("-o,--out", o->out, "File to write; one that is there is replaced",
                 {.shows_default = true});
  command.option("--file", o->file, "File of decisions; else all of the user's");
  command.callback([&context, o] { context.action = [o] { return make_report(*o); }; });
}

}  // namespace vyre::cli
