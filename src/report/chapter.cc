#include "report/chapter.h"

#include <algorithm>
#include <array>
#include <limits>

namespace vyre::report {

std::string_view ending_text(Ending ending) {
  constexpr std::array<std::string_view, 9> kWords{
      "chosen",  "tied",     "in at the end", "dropped",
      "fastest", "measured", "failed",        "not tried: failed earlier",
      "given up"};
  return kWords[static_cast<std::size_t>(ending)];
}

Config config_of(const Chapter& chapter, const Entrant& entrant) {
  Config out;
  for (std::size_t p = 0; p < entrant.point.size(); ++p) {
    const space::Parameter& parameter = chapter.parameters[p];
    out.set(parameter.name, parameter.values[entrant.point[p]]);
  }
  return out;
}

const Entrant* chosen_of(const Chapter& chapter) {
  const auto found = std::ranges::find_if(chapter.entrants, [](const Entrant& e) {
    return e.ending == Ending::chosen || e.ending == Ending::fastest;
  });
  return found == chapter.entrants.end() ? nullptr : &*found;
}

const Entrant* default_of(const Chapter& chapter) {
  const auto found = std::ranges::find(chapter.entrants, true, &Entrant::is_default);
  return found == chapter.entrants.end() ? nullptr : &*found;
}

double default_ns(const Chapter& chapter) {
  if (chapter.decided) return chapter.decided->decision.default_elapsed.ns;
  const Entrant* standard = default_of(chapter);
  return standard == nullptr ? 0 : standard->elapsed.ns;
}

double chosen_ns(const Chapter& chapter) {
  if (chapter.decided) return chapter.decided->decision.elapsed.ns;
  const Entrant* chosen = chosen_of(chapter);
  return chosen == nullptr ? 0 : chosen->elapsed.ns;
}

}  // namespace vyre::report
