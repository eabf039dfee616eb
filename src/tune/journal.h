// Journal: what a campaign has begun and what it was told, one JSON object per line, in order.
//
// The first line names the campaign: another problem, device, space, strategy or seed is another
// campaign. Then one line per event, with a number that counts up and the campaign's clock. A torn
// last line is dropped. Lines are written whole and before they are used: a process that is killed
// loses the answer at hand and nothing else.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "vyre/config.h"
#include "vyre/substrate/search.h"

namespace vyre {

enum class Entry : std::uint8_t {
  known,  // a failure of an earlier campaign; all of these come first
  begin,  // a configuration was given to a worker
  admit,  // the answers, by what was asked
  sample,
  race,
  pair,
  late,  // the time for the search was over, and what was under way was given up
};
Entry entry_of(Step step);

struct JournalLine {
  Entry entry = Entry::admit;
  Answer answer = {};  // of `known`, `begin` and `late` as much as there is
  // The values of the configuration, so that a journal can be read without its problem. Of `known`
  // and `begin` only; empty in journals of older versions.
  Config config = {};
};

// A journal as it stands, whether or not its campaign is over.
struct ReadJournal {
  std::string campaign;
  std::vector<JournalLine> lines;
  double search_seconds = 0;  // the search's own; 0: not known, as in a campaign that is not over
};

// Changes nothing. bad_inputs: the file is no journal.
Expected<ReadJournal> read_journal(const std::filesystem::path& file);

class Journal {
 public:
  // Reads what is there of the same campaign, and appends to it; one of another campaign, or one
  // that was finished, is replaced. `campaign` is one line of text that names it.
  static Expected<Journal> open(const std::filesystem::path& file, const std::string& campaign);
  // Without a file: there is nothing to resume, and `kept` has what was appended.
  static Journal in_memory(std::string campaign);

  // What was there when the journal was opened.
  const std::vector<JournalLine>& lines() const { return lines_; }
  // Null: it is in the file.
  const std::shared_ptr<ReadJournal>& kept() const { return kept_; }

  // From this line on, the campaign goes another way now: forgets them.
  Expected<void> cut(std::size_t first);

  // On disk, as far as other processes can see, when it returns.
  Expected<void> append(const JournalLine& line);
  // Nothing is left to resume. `search_seconds`: what the search has taken for itself.
  Expected<void> finish(double search_seconds = 0);

 private:
  Expected<void> resize(std::size_t bytes);
  Expected<void> write_line(const std::string& line);

  std::filesystem::path file_;
  std::vector<JournalLine> lines_;
  std::vector<std::size_t> ends_;  // of the header, then of each line
  std::uint64_t next_ = 0;
  FileDescriptor out_;                 // appends
  std::shared_ptr<ReadJournal> kept_;  // instead of a file
};

}  // namespace vyre
