// History: what happened in a campaign, from its journal: every sample in order, and what the race
// made of it.

#pragma once

#include "tune/journal.h"
#include "vyre/tune.h"

namespace vyre {

// The race of a campaign with this strategy. Where the space is recorded nobody is dropped before
// it has its first samples, and the final race may take as many more as it always may. Samples
// that warm up by themselves all count.
RaceOptions race_of(RaceOptions options, std::string_view strategy, bool is_warm);

// What the line that names a campaign has behind "samples=".
inline constexpr std::string_view kWarm = "warm";
inline constexpr std::string_view kSingle = "single";

struct Sampled {
  std::uint64_t index = 0;  // of the configuration
  double ns = 0;
};

struct Failed {
  Failure what = {};
  std::uint64_t at = 0;  // samples of the whole race by then
};

struct History {
  std::string campaign;  // the one line that names it
  std::vector<Sampled> samples = {};
  std::vector<Sampled> pairs = {};  // not of the race: run side by side once it was decided
  std::vector<Failed> failures = {};
  std::vector<Standing> standings = {};     // in the order in which they entered
  std::vector<std::uint64_t> entered = {};  // samples of the whole race by then, for each of them
  std::optional<Outcome> outcome = {};
  std::uint64_t default_index = 0;
};

// Runs the race again on the journal's samples: with the same options the same candidates are
// dropped at the same time. bad_inputs: it has no sample, so there is nothing to tell.
Expected<History> history_of(const ReadJournal& journal, const RaceOptions& options = {});
// The same also where there is nothing to tell: then it has no samples and no outcome.
History retell(const ReadJournal& journal, const RaceOptions& options = {});

// Whether this is the campaign that the decision was made from: the same samples give the same
// estimate. By what ran side by side at the end, the last round of which may not have been whole,
// or else by the race.
bool rests_on(const Decision& decision, const History& history);

// The word behind "name=" in the line that names a campaign; empty if there is none.
std::string word_of(std::string_view campaign, std::string_view name);

}  // namespace vyre
