// Chapter: what a report tells about one campaign or one recording, wherever it comes from: a
// journal with or without its decision, a decision whose journal is gone, a T4 or CSV file.
//
// Plain values, made by the pure functions of journal_chapter.h and recording_chapter.h. Nothing in
// a chapter was invented: what its source does not record is left empty, and `notes` say so.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/decision_facts.h"
#include "tune/history.h"
#include "vyre/recording.h"

namespace vyre::report {

// What became of a configuration.
enum class Ending : std::uint8_t {
  chosen,   // by the decision or, where there is none, by the race so far
  tied,     // could not be told apart from the fastest
  racing,   // in the race until the end
  dropped,  // by the race: it could not be the fastest any more
  fastest,  // of a recording, which has no race
  measured,
  failed,
  shunned,    // not tried: it had failed in an earlier campaign
  unanswered  // begun, and given up when the time was over
};
std::string_view ending_text(Ending ending);

struct Entrant {
  std::uint64_t index = 0;  // of the configuration in its space, or the row of a recording
  space::Point point = {};  // value indices, as Chapter::parameters has them; empty: not recorded
  Ending ending = Ending::unanswered;
  Status status = Status::ok;
  std::string why = {};  // of a failure; may be empty
  bool is_default = false;
  Estimate elapsed = {};  // 0 ns: not measured
  std::vector<double> samples_ns = {};
  double admit_seconds = 0;  // compiling; in a journal also the first run and verifying
  double run_seconds = 0;
  double at_seconds = -1;   // when its first result was known, since the beginning; -1: not known
  std::uint64_t place = 0;  // among the configurations with a result, from 1 on; 0: it has none
  std::string timestamp = {};  // of a T4 file
};

// A part of the time that a campaign took.
struct TimePart {
  std::string what;
  double seconds = 0;
};

struct Chapter {
  std::string title;        // the program's or the file's name; any bytes
  std::string device = {};  // as people know it; empty: not known
  std::string source = {};  // the file
  std::optional<Listed> decided = {};
  std::vector<Fact> about = {};                   // the campaign's or the recording's own words
  std::vector<space::Parameter> parameters = {};  // with the values that occur; empty: not recorded
  std::vector<Entrant> entrants = {};             // in the order in which they were begun
  std::optional<History> history = {};            // of a journal with samples
  std::vector<TimePart> time = {};                // empty: not recorded
  double workers = 1;
  double seconds = 0;                   // from the beginning to the last answer; 0: not known
  std::vector<std::string> notes = {};  // sentences: what is not known, and why
};

// The configuration of an entrant; empty: not recorded.
Config config_of(const Chapter& chapter, const Entrant& entrant);
// The chosen one, of a recording the fastest; null: none.
const Entrant* chosen_of(const Chapter& chapter);
const Entrant* default_of(const Chapter& chapter);
// What the default takes and what the chosen configuration takes: from the decision where there is
// one. 0: not known.
double default_ns(const Chapter& chapter);
double chosen_ns(const Chapter& chapter);

}  // namespace vyre::report
