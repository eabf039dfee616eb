// Course: the way from a space to a report, one run at a time; and what all courses share.

#pragma once

#include "tune/campaign.h"
#include "tune/pairs.h"

namespace vyre {

class Course {
 public:
  virtual ~Course() = default;
  // One run of one configuration, or a few short ones. False: nothing is left to do.
  virtual Expected<bool> step() = 0;
  // Once.
  virtual Expected<CampaignReport> report() = 0;
};

// A configuration as races take it.
Candidate candidate_of(const SearchTask& task, std::uint64_t index);

// The error of a campaign whose default configuration does not run.
std::unexpected<Error> default_failed(const SearchTask& task, const Answer& answer);

// Fills in what the race has decided. The default wins unless something is faster. rejected: the
// race has no run time at all.
Expected<void> conclude(const SearchTask& task, const Race& race, CampaignReport& report);

// The configurations to compare side by side: the default, the decision that may be replaced if it
// is still to be beaten, and the winner. One alone: there is nothing to compare.
std::vector<std::uint64_t> rivals_of(const SearchTask& task, const Race& race,
                                     std::optional<std::uint64_t> rival, const Outcome& outcome);

// Times and gain as the pairs show them. A winner that is no faster than one of its rivals gives
// way to it, and to the default also where the gain's interval contains 1 after all rounds.
// `shares_cores`: the device runs on cores that other processes use, too.
void conclude_pairs(const SearchTask& task, const Pairs& pairs, bool shares_cores,
                    CampaignReport& report);

}  // namespace vyre
