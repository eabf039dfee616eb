// Definitions of spaces to test and time construction with.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vyre/space.h"

namespace vyre::testing {

// Parameters and constraints of search/t1/NAME.json in the folder `shared` beside the checkout;
// nothing if the file is not there.
std::optional<space::Definition> load_t1_definition(const std::filesystem::path& source_dir,
                                                    const std::string& name);

// 10^9 combinations (9 parameters of 10 values) under 20 constraints as tuners have them: work
// group limits, divisibility, shared memory, implications.
space::Definition billion_combinations();

// 10^12 combinations (12 parameters of 10 values), all linked by constraints.
space::Definition trillion_combinations();

// The number of valid configurations, found by trying all combinations with compiled expressions;
// nothing on an evaluation error. Only for small spaces.
std::optional<std::uint64_t> count_by_filtering(const space::Definition& definition);

}  // namespace vyre::testing
