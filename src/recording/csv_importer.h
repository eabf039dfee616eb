// A recording from CSV: a column for each parameter, and one named time_ms.

#pragma once

#include <string_view>

#include "vyre/recording.h"

namespace vyre::recording {

// Errors begin with the line: "line 3: ...".
Expected<Recording> read_csv_document(std::string_view text);

}  // namespace vyre::recording
