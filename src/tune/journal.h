// Journal: what a campaign was told by its evaluator, one JSON object per line, in order.
//
// The first line names the campaign: another problem, device, space, strategy or seed is another
// campaign. Then one line per answer, with a number that counts up. A torn last line is dropped.
// Lines are written whole and before they are used: a process that is killed loses the answer at
// hand and nothing else.

#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "vyre/substrate/search.h"

namespace vyre {

enum class Question : std::uint8_t {
  known,  // not asked: a failure of an earlier campaign; all of these come first
  prepare,
  verify,
  sample,
};

struct Answer {
  Question question = Question::prepare;
  std::uint64_t index = 0;
  Result result = {};
  double seconds = 0;  // when, on the campaign's clock
};

// A journal as it stands, whether or not its campaign is over.
struct ReadJournal {
  std::string campaign;
  std::vector<Answer> answers;
};

// Changes nothing. bad_inputs: the file is no journal.
Expected<ReadJournal> read_journal(const std::filesystem::path& file);

class Journal {
 public:
  // Reads what is there of the same campaign, and appends to it; one of another campaign, or one
  // that was finished, is replaced. `campaign` is one line of text that names it.
  static Expected<Journal> open(const std::filesystem::path& file, const std::string& campaign);

  const std::vector<Answer>& answers() const { return answers_; }

  // From this one on, the answers are to other questions than are asked now: forgets them.
  Expected<void> cut(std::size_t first);

  // On disk, as far as other processes can see, when it returns.
  Expected<void> append(const Answer& answer);
  // Nothing is left to resume.
  Expected<void> finish();

 private:
  Expected<void> write_line(const std::string& line);

  std::filesystem::path file_;
  std::vector<Answer> answers_;
  std::vector<std::size_t> ends_;  // of the lines: of the header, then of each answer
  std::uint64_t next_ = 0;
  std::ofstream out_;
};

}  // namespace vyre
