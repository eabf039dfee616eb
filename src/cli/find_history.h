// The journal behind a decision.

#pragma once

#include "cli/decisions.h"
#include "tune/history.h"

namespace vyre::cli {

struct FoundHistory {
  ReadJournal journal;
  History history;
  std::filesystem::path file;
  bool is_of_decision = true;  // else of a later campaign for the same program
};

// The journal of the campaign that the decision rests on; journals lie beside the folder of the
// decision's file. If a later campaign of the same program has replaced it, that later journal.
// bad_inputs if there is neither.
Expected<FoundHistory> find_history(const Listed& listed);

}  // namespace vyre::cli
