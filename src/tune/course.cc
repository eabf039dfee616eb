#include "tune/course.h"

#include "base/error.h"

namespace vyre {

Candidate candidate_of(const SearchTask& task, std::uint64_t index) {
  Candidate out;
  if (task.candidate) out = task.candidate(index);
  out.id = index;
  out.is_default = index == task.default_index;
  return out;
}

std::unexpected<Error> default_failed(const SearchTask& task, Status status) {
  return rejected(
      "{}: the default configuration ({}) failed with \"{}\"; nothing can be compared with it: "
      "mend it first",
      task.name, to_string(task.space.config_at(task.default_index)), recording::to_string(status));
}

Expected<void> conclude(const SearchTask& task, const Race& race, CampaignReport& report) {
  const auto outcome = race.outcome();
  if (!outcome) {
    return rejected("{}: no configuration could be measured; check the kernel", task.name);
  }
  report.outcome = *outcome;
  report.default_elapsed = race.find(task.default_index)->elapsed;
  report.best = outcome->winner;
  report.elapsed = outcome->elapsed;
  if (report.default_elapsed.ns > 0 && report.elapsed.ns > report.default_elapsed.ns) {
    report.best = task.default_index;
    report.elapsed = report.default_elapsed;
  }
  report.standings.assign(race.standings().begin(), race.standings().end());
  return {};
}

}  // namespace vyre
