#include "report/campaign_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "report/words.h"

namespace vyre::report {
namespace {

// The meaning of a sample's colour.
enum Role : std::uint8_t { kDropped, kIn, kDefault, kWinner, kRoles };

double ms(double ns) { return ns / 1e6; }

Role role_of(const History& history, const Standing& standing) {
  if (history.outcome && standing.candidate.id == history.outcome->winner) return kWinner;
  if (standing.candidate.is_default) return kDefault;
  return standing.fate == Fate::racing ? kIn : kDropped;
}

const Standing* standing_of(const History& history, std::uint64_t index) {
  const auto found =
      std::ranges::find(history.standings, index, [](const Standing& s) { return s.candidate.id; });
  return found == history.standings.end() ? nullptr : &*found;
}

std::string winner_label(const History& history) {
  if (!history.outcome) return "winner";
  const double ns = history.outcome->elapsed.ns;
  const Standing* standard = standing_of(history, history.default_index);
  if (standard == nullptr || standard->candidate.id == history.outcome->winner) {
    return fmt::format("winner, the default: {}", time_text(ns));
  }
  return fmt::format("winner: {}, {:.2f} x", time_text(ns), standard->elapsed.ns / ns);
}

std::vector<Series> sample_series(const History& history) {
  std::vector<Series> out(kRoles);
  out[kDropped] = {.label = "dropped", .ink = Ink::grey, .draw = Draw::faint_dots};
  out[kIn] = {.label = "in at the end", .ink = Ink::blue, .draw = Draw::dots};
  out[kDefault] = {.label = "the default's samples", .ink = Ink::orange, .draw = Draw::dots};
  out[kWinner] = {.label = winner_label(history), .ink = Ink::green, .draw = Draw::dots};
  std::map<std::uint64_t, Role> roles;
  for (const Standing& s : history.standings) roles[s.candidate.id] = role_of(history, s);
  for (std::size_t k = 0; k < history.samples.size(); ++k) {
    const auto& [index, ns] = history.samples[k];
    out[roles[index]].points.push_back({static_cast<double>(k + 1), ms(ns)});
  }
  std::erase_if(out, [](const Series& series) { return series.points.empty(); });
  return out;
}

// The default's time, as a line over the whole campaign.
Series default_line(const History& history) {
  Series out{.ink = Ink::orange, .draw = Draw::dashed_steps};
  const Standing* standard = standing_of(history, history.default_index);
  if (standard == nullptr) return out;
  out.label = fmt::format("default: {}", time_text(standard->elapsed.ns));
  for (const double x : {0.0, static_cast<double>(history.samples.size())}) {
    out.points.push_back({x, ms(standard->elapsed.ns)});
  }
  return out;
}

// The candidates that the race dropped, each at its place when it was dropped.
Series drops(const History& history) {
  Series out{.label = "dropped here", .ink = Ink::purple, .draw = Draw::crosses};
  for (const Standing& s : history.standings) {
    if (s.fate != Fate::dropped) continue;
    out.points.push_back({static_cast<double>(s.left_at), ms(s.elapsed.ns)});
  }
  std::ranges::sort(out.points, {}, &Vertex::x);
  return out;
}

// The time of the fastest configuration that the search had met by then. Each counts with its
// estimate at the end, from its first sample on: estimates change with every sample, so the least
// one at each time would rise whenever a lucky sample is corrected.
Series fastest(const History& history) {
  Series out{.label = "fastest so far", .ink = Ink::blue};
  std::map<std::uint64_t, double> final_ns;
  for (const Standing& s : history.standings) {
    if (s.fate != Fate::failed && s.elapsed.ns > 0) final_ns[s.candidate.id] = s.elapsed.ns;
  }
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < history.samples.size(); ++k) {
    const auto found = final_ns.find(history.samples[k].index);
    if (found != final_ns.end()) best = std::min(best, found->second);
    out.points.push_back({static_cast<double>(k + 1), ms(best)});
  }
  return out;
}

Axis sample_axis(const History& history) {
  return {.label = "samples taken",
          .low = 0,
          .high = static_cast<double>(history.samples.size()) + 1,
          .is_count = true};
}

Axis count_axis(double most) {
  return {.label = "count", .low = 0, .high = most + std::max(1.0, most / 20), .is_count = true};
}

Panel sample_panel(const History& history) {
  double low = std::numeric_limits<double>::max();
  double high = 0;
  for (const Sampled& sample : history.samples) {
    low = std::min(low, ms(sample.ns));
    high = std::max(high, ms(sample.ns));
  }
  Panel out{.title = "Time of each sample",
            .x = sample_axis(history),
            .y = axis_around("time (ms)", low, high, Scale::logarithmic),
            .series = sample_series(history),
            .height = 300};
  for (Series& series : std::array{default_line(history), fastest(history), drops(history)}) {
    if (!series.points.empty()) out.series.push_back(std::move(series));
  }
  return out;
}

Panel population_panel(const History& history) {
  std::map<std::uint64_t, int> changes;
  for (const std::uint64_t at : history.entered) ++changes[at];
  for (const Standing& s : history.standings) {
    if (s.fate != Fate::racing) --changes[s.left_at];
  }
  Series in{.ink = Ink::purple};
  double count = 0;
  double most = 1;
  for (const auto& [at, change] : changes) {
    count += change;
    most = std::max(most, count);
    in.points.push_back({static_cast<double>(at), count});
  }
  in.points.push_back({static_cast<double>(history.samples.size()), count});
  Panel out{.title = "Configurations in the race",
            .x = sample_axis(history),
            .y = count_axis(most),
            .series = {std::move(in)},
            .height = 110};
  return out;
}

// Failures have no time. Several may come between two samples, so they are counted: one line for
// each kind.
Panel failure_panel(const History& history) {
  Panel out{.title = "Configurations that failed so far", .x = sample_axis(history), .height = 110};
  constexpr std::array kOrder{Ink::red, Ink::purple, Ink::orange, Ink::blue, Ink::green, Ink::grey};
  std::map<Status, Series> by_kind;
  double most = 1;
  for (const Failed& failed : history.failures) {
    Series& series = by_kind[failed.what.status];
    const double before = series.points.empty() ? 0 : series.points.back().y;
    if (series.points.empty()) series.points.push_back({0, 0});
    series.points.push_back({static_cast<double>(failed.at), before + 1});
    most = std::max(most, before + 1);
  }
  for (auto& [status, series] : by_kind) {
    series.ink = kOrder[out.series.size() % kOrder.size()];
    series.label = fmt::format("failed: {}", recording::to_string(status));
    series.points.push_back({static_cast<double>(history.samples.size()), series.points.back().y});
    out.series.push_back(std::move(series));
  }
  out.y = count_axis(most);
  return out;
}

}  // namespace

Figure campaign_figure(const History& history) {
  const auto dropped = std::ranges::count(history.standings, Fate::dropped, &Standing::fate);
  const auto in = std::ranges::count(history.standings, Fate::racing, &Standing::fate);
  const std::string strategy = word_of(history.campaign, "strategy");
  std::vector<Panel> panels{sample_panel(history), population_panel(history)};
  if (!history.failures.empty()) panels.push_back(failure_panel(history));
  return {
      .title = fmt::format("{}: a campaign's samples in order", word_of(history.campaign, "name")),
      .caption = fmt::format(
          "{} configurations ran, {} samples: {} were dropped by the race, {} were in at the "
          "end; {} failed.\nStrategy {}. A configuration is dropped when it cannot be the "
          "fastest any more.",
          history.standings.size(), history.samples.size(), dropped, in, history.failures.size(),
          strategy.empty() ? "not known" : strategy),
      .panels = std::move(panels),
      .columns = 1,
      .panel_width = 700};
}

}  // namespace vyre::report
