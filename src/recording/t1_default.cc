// Where a search of a T1 problem starts.

#include "base/error.h"
#include "base/text.h"
#include "vyre/recording.h"

namespace vyre::recording {
namespace {

// "MDIMC" = 32 becomes 16, "KREG" (no default) is 1
std::string describe_changes(const Config& declared, const space::Space& space,
                             const space::Nearest& nearest) {
  const Config chosen = space.config_at(nearest.index);
  std::string out;
  for (const std::size_t i : nearest.changed) {
    const auto& [name, value] = chosen.entries()[i];
    const Value* const before = declared.find(name);
    if (!out.empty()) out += ", ";
    out += before != nullptr
               ? fmt::format("{} = {} becomes {}", quote(name), vyre::to_string(*before),
                             vyre::to_string(value))
               : fmt::format("{} (no default) is {}", quote(name), vyre::to_string(value));
  }
  return out;
}

}  // namespace

Expected<std::optional<Start>> default_of(const Problem& problem, const space::Space& space) {
  if (!problem.declared_default) return std::nullopt;
  VYRE_TRY(const space::Nearest nearest, space.nearest_valid(*problem.declared_default));
  Start out{nearest.index, {}};
  if (!nearest.changed.empty()) {
    out.warnings.push_back(
        fmt::format("the default is not a valid configuration; starting from the nearest one: {}",
                    describe_changes(*problem.declared_default, space, nearest)));
  }
  return out;
}

}  // namespace vyre::recording
