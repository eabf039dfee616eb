// A report: campaigns, decisions and recordings as one HTML page to look at.
//
// The page is one text without references: it loads nothing, needs no network and works when it is
// mailed. It is made for light and dark, for the width of a phone and for screen readers, and can
// be read without scripts; the one script sorts tables.
//
// A pure function: the same chapters give the same bytes, nothing is read and nothing printed. Text
// from outside (names, compilers' logs, files of others) may be any bytes. It is escaped; the page
// also forbids all scripts but its own. docs/report.md says how to read each part.
//
// Chapters are made with journal_chapter.h and recording_chapter.h.

#pragma once

#include <span>
#include <string>

#include "report/chapter.h"

namespace vyre::report {

struct ReportOptions {
  std::string version = {};  // of vyre, for the page's foot; empty: not shown
  // Configurations that are listed in each chapter; fewer if there are more than three chapters,
  // but at least 50. The figures have all of them.
  std::size_t most_rows = 2000;
  std::vector<std::string> notes = {};  // for the head of the page: what was left out, and why
};

// Without chapters it says that there is nothing to show.
std::string html_of(std::span<const Chapter> chapters, const ReportOptions& options = {});

}  // namespace vyre::report
