#include "report/chapter_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "report/words.h"

namespace vyre::report {
namespace {

constexpr double kPanelWidth = 300;  // a phone shows it at nearly full size
constexpr double kNsPerMs = 1e6;

// Measured entrants in the order in which their results were known.
std::vector<const Entrant*> in_order(const Chapter& chapter, Against against) {
  std::vector<const Entrant*> out;
  for (const Entrant& e : chapter.entrants) {
    const bool has_place = against == Against::seconds ? e.at_seconds >= 0 : e.place > 0;
    if (has_place && e.elapsed.ns > 0 && e.ending != Ending::failed) out.push_back(&e);
  }
  std::ranges::sort(out, {}, [&](const Entrant* e) {
    return std::pair(against == Against::seconds ? e->at_seconds : static_cast<double>(e->place),
                     e);
  });
  return out;
}

double place_of(const Entrant& e, Against against) {
  return against == Against::seconds ? e.at_seconds : static_cast<double>(e.place);
}

double end_of(const Chapter& chapter, Against against) {
  if (against == Against::seconds) return chapter.seconds;
  double last = 0;
  for (const Entrant& e : chapter.entrants) last = std::max(last, static_cast<double>(e.place));
  return last;
}

std::vector<Vertex> best_so_far(std::span<const Entrant* const> entrants, Against against,
                                double end) {
  std::vector<Vertex> out;
  double best = std::numeric_limits<double>::infinity();
  for (const Entrant* e : entrants) {
    if (e->elapsed.ns >= best) continue;
    best = e->elapsed.ns;
    out.push_back({place_of(*e, against), best / kNsPerMs});
  }
  if (!out.empty()) out.push_back({std::max(end, out.back().x), best / kNsPerMs});
  return out;
}

Axis progress_axis(Against against, double end) {
  if (against == Against::seconds) return {.label = "seconds", .low = 0, .high = end * 1.02};
  return {.label = "configurations tried", .low = 0, .high = end + 1, .is_count = true};
}

Axis time_axis(std::span<const Series> all) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const Series& series : all) {
    for (const Vertex& point : series.points) {
      low = std::min(low, point.y);
      high = std::max(high, point.y);
    }
  }
  return axis_around("time (ms)", low, high, Scale::logarithmic);
}

// The picture of the finalists shows the chosen configuration, the default, then the fastest ones.
std::vector<const Entrant*> finalists_of(const Chapter& chapter, std::size_t most) {
  std::vector<const Entrant*> out;
  for (const Entrant& e : chapter.entrants) {
    if (!e.samples_ns.empty() && e.ending != Ending::failed) out.push_back(&e);
  }
  const Entrant* chosen = chosen_of(chapter);
  std::ranges::sort(out, {}, [&](const Entrant* e) {
    return std::tuple(e == chosen ? 0 : e->is_default ? 1 : 2, e->elapsed.ns, e);
  });
  if (out.size() > most) out.resize(most);
  return out;
}

std::string finalist_label(const Chapter& chapter, const Entrant& e, std::size_t rank) {
  std::string who = &e == chosen_of(chapter) ? std::string(ending_text(e.ending))
                    : e.is_default           ? "default"
                                             : fmt::format("next {}", rank);
  if (&e == chosen_of(chapter) && e.is_default) who += ", the default";
  return fmt::format("{}: no. {}", who, e.index);
}

}  // namespace

std::string value_text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : to_string(value);
}

Figure progress_figure(const Chapter& chapter, Against against) {
  const std::vector<const Entrant*> entrants = in_order(chapter, against);
  Figure out{.title = fmt::format("{}: fastest configuration so far, against {}", chapter.title,
                                  against == Against::seconds ? "seconds" : "evaluations"),
             .panel_width = kPanelWidth};
  const double end = end_of(chapter, against);
  if (entrants.empty() || end <= 0) return out;
  constexpr std::size_t kFew = 300;
  Series all{.label = "each configuration",
             .ink = Ink::grey,
             .draw = entrants.size() <= kFew ? Draw::dots : Draw::faint_dots};
  for (const Entrant* e : entrants) {
    all.points.push_back({place_of(*e, against), e->elapsed.ns / kNsPerMs});
  }
  std::vector<Series> series{std::move(all)};
  if (const double ns = default_ns(chapter); ns > 0) {
    series.push_back({.label = "default: " + time_text(ns),
                      .ink = Ink::orange,
                      .draw = Draw::dashed_steps,
                      .points = {{0, ns / kNsPerMs}, {end, ns / kNsPerMs}}});
  }
  series.push_back(
      {.label = "fastest so far", .ink = Ink::blue, .points = best_so_far(entrants, against, end)});
  Axis y = time_axis(series);
  out.panels.push_back({.title = "",
                        .x = progress_axis(against, end),
                        .y = std::move(y),
                        .series = std::move(series)});
  return out;
}

Figure comparison_figure(std::span<const Chapter> chapters) {
  Figure out{.title = "Fastest configuration so far, as a fraction of each campaign's own fastest",
             .panel_width = kPanelWidth};
  Panel panel{.title = "", .y = {.label = "fraction of its fastest", .low = 0, .high = 1.02}};
  double last = 1;
  for (const Chapter& chapter : chapters.first(std::min(chapters.size(), kInks))) {
    const double end = end_of(chapter, Against::evaluations);
    auto points = best_so_far(in_order(chapter, Against::evaluations), Against::evaluations, end);
    if (points.empty()) continue;
    const double best = points.back().y;
    for (Vertex& point : points) point.y = best / point.y;
    last = std::max(last, end);
    const auto ink = static_cast<Ink>((panel.series.size() + 1) % kInks);
    panel.series.push_back(
        {.label = cut(chapter.title, 240), .ink = ink, .points = std::move(points)});
  }
  panel.x = progress_axis(Against::evaluations, last);
  if (!panel.series.empty()) out.panels.push_back(std::move(panel));
  return out;
}

Figure finalists_figure(const Chapter& chapter) {
  constexpr std::array kOrder{Ink::green, Ink::orange, Ink::blue, Ink::purple, Ink::red, Ink::grey};
  Figure out{.title = chapter.title + ": samples of the finalists", .panel_width = kPanelWidth};
  std::vector<Series> series;
  double most = 1;
  for (const Entrant* e : finalists_of(chapter, kOrder.size())) {
    Series one{.label = finalist_label(chapter, *e, series.size() + 1),
               .ink = kOrder[series.size()],
               .draw = Draw::dots};
    for (std::size_t k = 0; k < e->samples_ns.size(); ++k) {
      one.points.push_back({static_cast<double>(k + 1), e->samples_ns[k] / kNsPerMs});
    }
    most = std::max(most, static_cast<double>(e->samples_ns.size()));
    series.push_back(std::move(one));
  }
  if (series.empty()) return out;
  Axis y = time_axis(series);
  out.panels.push_back(
      {.title = "",
       .x = {.label = "sample of the configuration", .low = 0, .high = most + 1, .is_count = true},
       .y = std::move(y),
       .series = std::move(series)});
  return out;
}

Bars parameter_bars(const Chapter& chapter, const Effects& effects) {
  constexpr std::size_t kMostBars = 12;
  Bars out{.title =
               chapter.title + ": share of the differences in time that each parameter explains"};
  for (const ParameterEffect& effect : effects.parameters) {
    if (effect.values.size() < 2 || out.bars.size() == kMostBars) continue;
    out.bars.push_back({.label = chapter.parameters[effect.parameter].name,
                        .value = effect.share,
                        .text = fmt::format("{:.0f} %", 100 * effect.share)});
  }
  return out;
}

Bars value_bars(const Chapter& chapter, const ParameterEffect& effect) {
  const space::Parameter& parameter = chapter.parameters[effect.parameter];
  Bars out{.title = fmt::format("{}: time with each value of {}", chapter.title, parameter.name)};
  const double best = effect.values[effect.best].log_times;
  for (std::size_t v = 0; v < effect.values.size(); ++v) {
    const ValueEffect& value = effect.values[v];
    if (value.count == 0) continue;
    const double times = std::exp(value.log_times - best);
    out.bars.push_back({.label = value_text(parameter.values[v]),
                        .value = times,
                        .text = fmt::format("{:.2f} × ({})", times, value.count),
                        .ink = v == effect.best ? Ink::green : Ink::blue});
  }
  return out;
}

Heatmap pair_heatmap(const Chapter& chapter, std::size_t row_parameter,
                     std::size_t column_parameter) {
  const space::Parameter& rows = chapter.parameters[row_parameter];
  const space::Parameter& columns = chapter.parameters[column_parameter];
  Heatmap out{.title = fmt::format("{}: fastest time for each pair of {} and {}", chapter.title,
                                   rows.name, columns.name),
              .x_label = columns.name,
              .y_label = rows.name};
  for (const Value& value : columns.values) out.x.push_back(value_text(value));
  for (const Value& value : rows.values) out.y.push_back(value_text(value));
  out.cells.resize(out.x.size() * out.y.size());
  double least = std::numeric_limits<double>::infinity();
  for (const Entrant& e : chapter.entrants) {
    if (e.point.empty()) continue;
    Cell& cell = out.cells[e.point[row_parameter] * out.x.size() + e.point[column_parameter]];
    const bool ran = e.elapsed.ns > 0 && e.ending != Ending::failed;
    if (ran) {
      const bool is_first = cell.state != CellState::measured;
      cell = {CellState::measured, is_first ? e.elapsed.ns : std::min(cell.times, e.elapsed.ns)};
      least = std::min(least, e.elapsed.ns);
    } else if (e.ending == Ending::failed && cell.state == CellState::untried) {
      cell.state = CellState::failed;
    }
  }
  for (Cell& cell : out.cells) {
    if (cell.state == CellState::measured) cell.times /= least;
  }
  return out;
}

Bars time_bars(const Chapter& chapter) {
  Bars out{.title = chapter.title + ": where the time went"};
  double all = 0;
  for (const TimePart& part : chapter.time) all += part.seconds;
  for (const TimePart& part : chapter.time) {
    out.bars.push_back({.label = part.what,
                        .value = part.seconds,
                        .text = fmt::format("{}, {:.0f} %", seconds_text(part.seconds),
                                            100 * part.seconds / all)});
  }
  return out;
}

}  // namespace vyre::report
