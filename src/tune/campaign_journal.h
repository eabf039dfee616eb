// CampaignJournal: where the answers of a campaign are, once it is over.

#pragma once

#include <filesystem>
#include <memory>

#include "tune/journal.h"
#include "vyre/tune.h"

namespace vyre {

struct CampaignJournal {
  std::filesystem::path file = {};               // a later campaign of the same key replaces it
  std::shared_ptr<const ReadJournal> kept = {};  // instead of a file; null: there is one
};

// bad_inputs: none was kept. Else as read_journal.
Expected<ReadJournal> read_journal_of(const Tuned& tuned);

}  // namespace vyre
