// The chapter of a recording: a T4 or CSV file of any tuner.

#pragma once

#include "report/chapter.h"

namespace vyre::report {

// Rows are taken to stand in the order in which they were measured. `source` names the file.
Chapter chapter_of(const recording::Recording& recording, std::string name, std::string source);

}  // namespace vyre::report
