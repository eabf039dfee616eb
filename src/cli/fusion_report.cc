#include "cli/fusion_report.h"

#include <fmt/format.h>

#include "base/json_value.h"
#include "base/text.h"
#include "cli/table.h"

namespace vyre::cli {
namespace {

const std::string& program_of(const ir::SequenceDef& def, std::uint32_t step) {
  return def.programs[def.steps[step].program].name;
}

std::string kinds_text(const std::vector<fuse::Kind>& kinds) {
  std::string out;
  for (const fuse::Kind kind : kinds) {
    out += fmt::format("{}{}", out.empty() ? "" : ", ", fuse::to_string(kind));
  }
  return out.empty() ? "none" : out;
}

// "2 add, 3 scale"
std::string steps_text(const ir::SequenceDef& def, std::uint32_t first, std::uint32_t last) {
  std::string out;
  for (std::uint32_t step = first; step <= last; ++step) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", step + 1, program_of(def, step));
  }
  return out;
}

std::string links_table(const ir::SequenceDef& def, const fuse::Widened& widened) {
  Table table({{"tunable"}, {"steps"}, {"kinds"}});
  for (const fuse::Link& link : widened.links) {
    table.add({link.tunable.empty() ? "-" : link.tunable,
               steps_text(def, link.first, link.first + 1), kinds_text(link.kinds)});
  }
  return table.text();
}

// Why a kind is refused, once for kinds that are refused alike.
std::string refusals(const ir::SequenceDef& def, const fuse::Link& link) {
  std::string out;
  for (std::size_t k = 0; k < link.refused.size(); ++k) {
    const auto& [kind, refusal] = link.refused[k];
    std::string kinds(fuse::to_string(kind));
    while (k + 1 < link.refused.size() && link.refused[k + 1].second.rule == refusal.rule) {
      kinds += fmt::format(", {}", fuse::to_string(link.refused[++k].first));
    }
    out += fmt::format("  {}: not {} ({}): {}\n", steps_text(def, link.first, link.first + 1),
                       kinds, refusal.rule, escaped(refusal.why));
  }
  return out;
}

std::string intervals_table(const ir::SequenceDef& def, const fuse::Widened& widened) {
  Table table({{"in one kernel"}, {"kinds"}, {"predicted", Align::right}});
  for (const fuse::Interval& i : widened.intervals) {
    table.add({steps_text(def, i.first, i.last), kinds_text(i.kinds), "-"});
  }
  return table.text();
}

Json json_of(const std::vector<fuse::Kind>& kinds) {
  Json out = Json::array();
  for (const fuse::Kind kind : kinds) out.push_back(fuse::to_string(kind));
  return out;
}

Json json_of(const fuse::Link& link) {
  Json refused = Json::array();
  for (const auto& [kind, refusal] : link.refused) {
    refused.push_back(
        {{"kind", fuse::to_string(kind)}, {"rule", refusal.rule}, {"why", refusal.why}});
  }
  return {{"first", link.first},
          {"tunable", link.tunable.empty() ? Json() : Json(link.tunable)},
          {"kinds", json_of(link.kinds)},
          {"refused", std::move(refused)}};
}

}  // namespace

std::string fusion_text(const ir::Sequence& original, const fuse::Widened& widened,
                        double milliseconds) {
  const ir::SequenceDef& def = original.def();
  std::string out =
      fmt::format("{}: {} steps, {} ways to join some of them, found in {:.1f} ms\n",
                  escaped(def.name), def.steps.size(), widened.intervals.size(), milliseconds);
  if (!widened.links.empty()) out += "\n" + links_table(def, widened);
  std::string reasons;
  for (const fuse::Link& link : widened.links) reasons += refusals(def, link);
  if (!reasons.empty()) out += "\n" + reasons;
  if (!widened.intervals.empty()) out += "\n" + intervals_table(def, widened);
  for (const std::string& limit : widened.limits) out += fmt::format("\nlimit: {}\n", limit);
  return out;
}

std::string fusion_json(const ir::Sequence& original, const fuse::Widened& widened) {
  const ir::SequenceDef& def = original.def();
  Json steps = Json::array();
  for (std::uint32_t k = 0; k < def.steps.size(); ++k) steps.push_back(program_of(def, k));
  Json links = Json::array();
  for (const fuse::Link& link : widened.links) links.push_back(json_of(link));
  Json intervals = Json::array();
  for (const fuse::Interval& i : widened.intervals) {
    intervals.push_back({{"first", i.first},
                         {"last", i.last},
                         {"kinds", json_of(i.kinds)},
                         {"predicted_gain", Json()}});
  }
  const Json out{{"program", def.name},
                 {"steps", std::move(steps)},
                 {"links", std::move(links)},
                 {"intervals", std::move(intervals)},
                 {"limits", widened.limits}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vyre::cli
