#include "vyre/fuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "base/error.h"
#include "base/text.h"
#include "fuse/intervals.h"
#include "fuse/widener.h"
#include "ir/tunable_value.h"

namespace vyre::fuse {
namespace {

using ir::SequenceDef;

constexpr std::uint32_t kUsualInterval = 7;
constexpr std::uint32_t kIntervalOfLong = 5;

// The link of "fuse_3", or of "fuse_3_" where the other name was taken; none for another name.
std::optional<std::uint32_t> link_of(std::string_view name) {
  if (!name.starts_with(kTunable)) return std::nullopt;
  name.remove_prefix(kTunable.size());
  while (name.ends_with('_')) name.remove_suffix(1);
  std::uint32_t link = 0;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), link);
  if (code != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return link;
}

std::optional<Kind> kind_of(const Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr || *number < 0 || *number > static_cast<std::int64_t>(Kind::rows)) {
    return std::nullopt;
  }
  return static_cast<Kind>(*number);
}

// The configuration that fuses these intervals, everything else at its default.
Config plan_of(const Widened& widened, std::span<const std::size_t> intervals) {
  Config out;
  for (const space::Parameter& parameter : widened.space.parameters) {
    const auto& tunables = widened.sequence.tunables();
    const auto it = std::ranges::find(tunables, parameter.name, &ir::Symbol::name);
    out.set(parameter.name, ir::value_of(it->type, it->default_bits));
  }
  for (const std::size_t index : intervals) {
    const Interval& i = widened.intervals[index];
    for (std::uint32_t link = i.first; link < i.last; ++link) {
      out.set(widened.links[link].tunable, static_cast<std::int64_t>(i.kinds[link - i.first]));
    }
  }
  return out;
}

// A choice of intervals that do not overlap, and what they save together.
struct Choice {
  double saved = 0;
  std::vector<std::size_t> intervals = {};
};

// What the interval alone has saved; none: it was not measured, or failed.
std::optional<double> saved_by(const Widened& widened, std::size_t interval, double unfused,
                               const std::vector<PlanTime>& singles) {
  const Config wanted = single_plan(widened, interval);
  const auto it = std::ranges::find(singles, wanted, &PlanTime::config);
  if (it == singles.end() || !(it->time > 0)) return std::nullopt;
  return unfused - it->time;
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::inline_:
      return "inline";
    case Kind::epilogue:
      return "epilogue";
    case Kind::merge:
      return "merge";
    case Kind::rows:
      return "rows";
    case Kind::none:
      break;
  }
  return "none";
}

Expected<Widened> widen(const ir::Sequence& sequence, const WidenOptions& options) {
  const SequenceDef& def = sequence.def();
  if (def.steps.size() > options.most_steps) {
    return bad_inputs("{}: it has {} steps, and fusion is planned for {} at most; split it",
                      quote(def.name), def.steps.size(), options.most_steps);
  }
  WidenOptions wanted = options;
  if (wanted.most_interval_steps == 0) {
    wanted.most_interval_steps =
        def.steps.size() > kFewLinks + 1 ? kIntervalOfLong : kUsualInterval;
  }
  return widened_by(def, find_intervals(def, wanted));
}

Config single_plan(const Widened& widened, std::size_t interval) {
  return plan_of(widened, std::span(&interval, 1));
}

std::vector<Config> single_plans(const Widened& widened) {
  std::vector<std::size_t> order(widened.intervals.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) {
    return std::pair(widened.intervals[k].last - widened.intervals[k].first, k);
  });
  std::vector<Config> out;
  for (const std::size_t k : order) out.push_back(single_plan(widened, k));
  return out;
}

// Dynamic programming over the steps: the best choices for the first n steps end with a step alone,
// or with an interval that ends there, behind one of the best choices for the steps before it.
std::vector<Config> best_plans(const Widened& widened, double unfused,
                               const std::vector<PlanTime>& singles, std::size_t most) {
  std::vector<std::vector<Choice>> best(widened.links.size() + 2);
  best[0] = {Choice{}};
  for (std::uint32_t steps = 1; steps < best.size(); ++steps) {
    best[steps] = best[steps - 1];
    for (std::size_t k = 0; k < widened.intervals.size(); ++k) {
      if (widened.intervals[k].last + 1 != steps) continue;
      const auto saved = saved_by(widened, k, unfused, singles);
      if (!saved || *saved <= 0) continue;
      for (Choice choice : best[widened.intervals[k].first]) {
        choice.saved += *saved;
        choice.intervals.push_back(k);
        best[steps].push_back(std::move(choice));
      }
    }
    std::ranges::sort(best[steps], {},
                      [](const Choice& c) { return std::pair(-c.saved, c.intervals); });
    if (best[steps].size() > most) best[steps].resize(most);
  }
  std::vector<Config> out;
  for (const Choice& choice : best.back()) {
    if (!choice.intervals.empty()) out.push_back(plan_of(widened, choice.intervals));
  }
  return out;
}

std::string describe_plan(const Config& config) {
  std::map<std::uint32_t, Kind> links;
  for (const auto& [name, value] : config.entries()) {
    const auto link = link_of(name);
    const auto kind = link ? kind_of(value) : std::nullopt;
    if (kind) links[*link] = *kind;
  }
  std::string out;
  for (auto it = links.begin(); it != links.end();) {
    std::uint32_t last = it->first;
    std::string kinds;
    const std::uint32_t first = it->first;
    for (; it != links.end() && it->first == last && it->second != Kind::none; ++it, ++last) {
      kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", to_string(it->second));
    }
    if (last == first) {
      ++it;
      continue;
    }
    out += fmt::format("{}steps {} to {} in one kernel: {}", out.empty() ? "" : "; ", first + 1,
                       last + 1, kinds);
  }
  if (out.empty() && !links.empty()) return "each step in its own kernel";
  return out;
}

}  // namespace vyre::fuse
