#include "tune/campaign_journal.h"

#include "base/error.h"

namespace vyre {

Expected<ReadJournal> read_journal_of(const Tuned& tuned) {
  if (tuned.journal == nullptr) {
    return bad_inputs("{}: no journal was kept of this campaign", tuned.name);
  }
  if (tuned.journal->kept != nullptr) return *tuned.journal->kept;
  return read_journal(tuned.journal->file);
}

}  // namespace vyre
