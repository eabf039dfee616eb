#include "vyre/explain.h"

#include <optional>
#include <vector>

#include "base/error.h"
#include "report/campaign_plot.h"
#include "report/journal_chapter.h"
#include "report/report.h"
#include "tune/campaign_journal.h"

namespace vyre {
namespace {

report::Listed listed_of(const TunedOn& what) {
  const Identity identity = identity_of(what.device);
  return {.key = what.tuned.key,
          .identity_id = id_of(identity),
          .identity = identity,
          .decision = what.tuned.decision};
}

report::Chapter chapter_of_tuned(const TunedOn& what) {
  const auto journal = read_journal_of(what.tuned);
  const std::string source = what.tuned.journal ? what.tuned.journal->file.string() : "";
  if (journal && what.tuned.is_interrupted()) {  // nothing is decided
    report::Chapter chapter = report::chapter_of(*journal, source);
    chapter.device = what.device.name;
    return chapter;
  }
  report::Chapter chapter =
      report::chapter_of(listed_of(what), journal ? &*journal : nullptr, journal ? source : "");
  if (journal && !rests_on(what.tuned.decision, retell(*journal))) {
    chapter.notes.emplace_back(
        "The journal of this decision is gone. What is shown below the decision is another "
        "campaign of the same program, whose times may differ.");
  }
  return chapter;
}

}  // namespace

std::string explain(const TunedOn& what) {
  std::vector<report::Fact> facts = report::facts_of(listed_of(what));
  const Tuned& tuned = what.tuned;
  if (tuned.unsaved) {
    facts.push_back({"not kept", tuned.unsaved->message});
  } else if (!tuned.is_kept) {
    facts.push_back({"not kept", tuned.why_not_kept});
  }
  return report::lines_of(tuned.key, facts);
}

Expected<std::string> draw(const Tuned& tuned) {
  VYRE_TRY(const ReadJournal journal, read_journal_of(tuned));
  VYRE_TRY(const History history, history_of(journal));
  return report::to_svg(report::campaign_figure(history));
}

std::string report_page(std::span<const TunedOn> campaigns) {
  std::vector<report::Chapter> chapters;
  for (const TunedOn& campaign : campaigns) chapters.push_back(chapter_of_tuned(campaign));
  return report::html_of(chapters, {.version = VYRE_VERSION});
}

}  // namespace vyre
