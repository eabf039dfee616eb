// One chapter of a report as HTML: its sections, in the order in which people ask.

#pragma once

#include <string>

#include "report/chapter.h"

namespace vyre::report {

// In one sentence: what was chosen, and what it is worth.
std::string lead_of(const Chapter& chapter);

// `id` is a word of ours, the target of links. At most `most_rows` configurations are listed.
std::string to_html(const Chapter& chapter, std::string_view id, std::size_t most_rows);

}  // namespace vyre::report
