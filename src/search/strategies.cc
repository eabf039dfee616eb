#include "search/strategies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/error.h"
#include "base/text.h"

namespace vyre {
namespace {

constexpr std::array kStrategies{
    StrategyKind{"natural", "a model of the space, preconditioned steps: fewest evaluations",
                 make_natural},
    StrategyKind{"evolution", "a population that crosses and mutates its best", make_evolution},
    StrategyKind{"local", "descent to a local optimum, again from where it got stuck", make_local},
    StrategyKind{"random", "every configuration equally likely, none twice", make_random},
    StrategyKind{"exhaustive", "all configurations in order", make_exhaustive, true},
};

Expected<void> check(const space::Space& space, const Hint& hint) {
  for (const Hint::Time& t : hint.times) {
    if (t.index >= space.size()) {
      return bad_inputs("a hint is about configuration {}; the space has {} configurations",
                        t.index, space.size());
    }
    if (!(t.time > 0) || !std::isfinite(t.time)) {
      return bad_inputs("a hint gives configuration {} the time {}; times are above 0", t.index,
                        t.time);
    }
  }
  return {};
}

}  // namespace

std::span<const StrategyKind> strategies() { return kStrategies; }

bool records_space(std::string_view strategy) {
  return std::ranges::any_of(kStrategies, [&](const StrategyKind& kind) {
    return kind.name == strategy && kind.records_space;
  });
}

Expected<std::unique_ptr<Strategy>> make_strategy(std::string_view name, const space::Space& space,
                                                  const StrategyOptions& options) {
  for (const std::uint64_t start : options.start) {
    if (start < space.size()) continue;
    return bad_inputs("start {} is not in the space, which has {} configurations", start,
                      space.size());
  }
  for (const Hint& hint : options.hints) {
    VYRE_TRY_VOID(check(space, hint));
  }
  std::vector<std::string> names;
  std::string list;
  for (const StrategyKind& kind : kStrategies) {
    if (kind.name == name) return kind.make(space, options);
    names.emplace_back(kind.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return bad_inputs("there is no strategy {}; use one of: {}{}", quote(name), list,
                    did_you_mean(name, names));
}

}  // namespace vyre
