// Hints from earlier work about a space that is searched now.

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "vyre/tune.h"

namespace vyre {

// A decision for another device, driver or shape: its configuration and its runner-up, as far as
// they are valid here.
Hint hint_of(const space::Space& space, const Decision& decision);

// A hint for each remembered decision of the same program, for any shape, device and driver, and of
// programs with its name: earlier texts of its kernel, whose parameters may have had other names
// (Problem::former_names).
std::vector<Hint> hints_from(const DecisionCache& cache, const Problem& problem);

// The samples of a journal whose campaign is another one than `campaign`, over the same program and
// space. None: there is no such journal, or it has nothing to say.
Hint hint_from_journal(const std::filesystem::path& file, std::string_view campaign,
                       const space::Space& space);

}  // namespace vyre
