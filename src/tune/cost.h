// Costs: what each configuration of a campaign has taken, and when.

#pragma once

#include <cstdint>
#include <string>

#include "vyre/tune.h"

namespace vyre {

std::int64_t now_unix_ms();

// Adds an answer to what its configuration has cost so far. One without a time by the calendar was
// known just now.
void add_cost(Cost& cost, const Answer& answer);

// "2026-11-18 12:53:11.042+00:00", as ISO 8601 and Python read it; empty for 0.
std::string utc_text(std::int64_t unix_ms);

}  // namespace vyre
