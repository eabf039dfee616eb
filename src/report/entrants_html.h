// The tables of a chapter: all configurations with their fate, and the failures by kind.

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "report/chapter.h"

namespace vyre::report {

// Sortable; the fastest first, failures behind. `parameters` are those that have a column. Empty if
// there are no configurations.
std::string entrants_html(const Chapter& chapter, std::span<const std::size_t> parameters,
                          std::size_t most_rows);

// Kinds and reasons, the most frequent first. Empty if nothing failed.
std::string failures_html(const Chapter& chapter);

}  // namespace vyre::report
