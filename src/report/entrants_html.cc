#include "report/entrants_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "report/chapter_figures.h"
#include "report/html.h"
#include "report/words.h"

namespace vyre::report {
namespace {

bool is_failure(const Entrant& e) {
  return e.ending == Ending::failed || e.ending == Ending::shunned;
}

std::vector<const Entrant*> by_time(const Chapter& chapter) {
  std::vector<const Entrant*> out;
  for (const Entrant& e : chapter.entrants) out.push_back(&e);
  std::ranges::sort(out, {}, [](const Entrant* e) {
    const bool ran = e->elapsed.ns > 0 && !is_failure(*e);
    const double ns = ran ? e->elapsed.ns : std::numeric_limits<double>::infinity();
    return std::tuple(is_failure(*e), ns, e);
  });
  return out;
}

std::string fate_text(const Entrant& e) {
  std::string out(ending_text(e.ending));
  if (is_failure(e)) out += fmt::format(": {}", recording::to_string(e.status));
  if (e.is_default) out += ", default";
  return out;
}

HtmlCell seconds_cell(double seconds) {
  if (seconds <= 0) return {};
  return {fmt::format("{:.3f}", seconds), seconds};
}

HtmlCell value_cell(const Value& value) {
  HtmlCell out{value_text(value)};
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    out.sorts_as = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    out.sorts_as = *real;
  }
  return out;
}

bool has_timestamps(const Chapter& chapter) {
  return std::ranges::any_of(chapter.entrants,
                             [](const Entrant& e) { return !e.timestamp.empty(); });
}

// What the rows of a table have in common.
struct Layout {
  const Chapter& chapter;
  std::span<const std::size_t> parameters;
  bool has_timestamps = false;
  double best_ns = 0;
};

std::vector<HtmlColumn> columns_of(const Layout& layout) {
  std::vector<HtmlColumn> out{{"no.", true}, {"time (ms)", true}, {"of best", true}, {"fate"}};
  for (const std::size_t index : layout.parameters) {
    const space::Parameter& p = layout.chapter.parameters[index];
    const bool is_number = !std::holds_alternative<std::string>(p.values.front());
    out.push_back({p.name, is_number});
  }
  out.push_back({"samples", true});
  out.push_back({"compile (s)", true});
  out.push_back({"runs (s)", true});
  out.push_back({"at (s)", true});
  if (layout.has_timestamps) out.push_back({"when"});
  out.push_back({"reason"});
  return out;
}

std::vector<HtmlCell> row_of_entrant(const Layout& layout, const Entrant& e) {
  const double best = layout.best_ns;
  const double ns = is_failure(e) ? 0 : e.elapsed.ns;
  std::vector<HtmlCell> out{{std::to_string(e.index), static_cast<double>(e.index)}};
  out.push_back(ns > 0 ? HtmlCell{fmt::format("{:.4g}", ns / 1e6), ns} : HtmlCell{});
  out.push_back(ns > 0 ? HtmlCell{fmt::format("{:.2f} ×", ns / best), ns / best} : HtmlCell{});
  out.push_back({fate_text(e)});
  for (const std::size_t p : layout.parameters) {
    out.push_back(e.point.empty() ? HtmlCell{}
                                  : value_cell(layout.chapter.parameters[p].values[e.point[p]]));
  }
  const auto samples = static_cast<double>(e.samples_ns.size());
  out.push_back(samples > 0 ? HtmlCell{fmt::format("{}", samples), samples} : HtmlCell{});
  out.push_back(seconds_cell(e.admit_seconds));
  out.push_back(seconds_cell(e.run_seconds));
  out.push_back(e.at_seconds >= 0 ? HtmlCell{fmt::format("{:.2f}", e.at_seconds), e.at_seconds}
                                  : HtmlCell{});
  if (layout.has_timestamps) out.push_back({e.timestamp});
  out.push_back({e.why});
  return out;
}

}  // namespace

std::string entrants_html(const Chapter& chapter, std::span<const std::size_t> parameters,
                          std::size_t most_rows) {
  constexpr std::size_t kShort = 12;
  const std::vector<const Entrant*> all = by_time(chapter);
  if (all.empty()) return "";
  const std::size_t shown = std::min(all.size(), most_rows);
  const Layout layout{chapter, parameters, has_timestamps(chapter), all.front()->elapsed.ns};
  HtmlTable table{.caption = shown == all.size()
                                 ? fmt::format("All {} configurations, the fastest first", shown)
                                 : fmt::format("The first {} of {} configurations: the fastest, "
                                               "then those that failed",
                                               shown, all.size()),
                  .columns = columns_of(layout),
                  .is_sortable = true};
  if (parameters.size() < chapter.parameters.size()) {
    table.caption += fmt::format("; the {} of {} parameters that explain most", parameters.size(),
                                 chapter.parameters.size());
  }
  for (const Entrant* e : std::span(all).first(shown)) {
    table.rows.push_back(row_of_entrant(layout, *e));
  }
  const std::string html = to_html(table);
  if (shown <= kShort) return html;
  return fmt::format("<details>\n<summary>Show {} configurations</summary>\n{}</details>\n", shown,
                     html);
}

std::string failures_html(const Chapter& chapter) {
  constexpr std::size_t kMostReasons = 20;
  std::map<std::pair<Status, std::string>, std::size_t> counts;
  for (const Entrant& e : chapter.entrants) {
    if (is_failure(e)) ++counts[{e.status, e.why}];
  }
  if (counts.empty()) return "";
  std::vector<std::pair<std::pair<Status, std::string>, std::size_t>> kinds(counts.begin(),
                                                                            counts.end());
  std::ranges::sort(kinds, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::map<Status, std::size_t> totals;
  for (const auto& [kind, count] : kinds) totals[kind.first] += count;
  HtmlTable table{.caption = "", .columns = {{"kind"}, {"configurations", true}, {"reason"}}};
  for (const auto& [status, count] : totals) {
    table.caption += fmt::format("{}{}: {}", table.caption.empty() ? "" : ", ",
                                 recording::to_string(status), count);
  }
  if (kinds.size() > kMostReasons) {
    table.caption +=
        fmt::format("; the {} most frequent of {} reasons", kMostReasons, kinds.size());
    kinds.resize(kMostReasons);
  }
  for (const auto& [kind, count] : kinds) {
    table.rows.push_back({{std::string(recording::to_string(kind.first))},
                          {std::to_string(count), static_cast<double>(count)},
                          {kind.second.empty() ? "no more is recorded" : kind.second}});
  }
  return to_html(table);
}

}  // namespace vyre::report
