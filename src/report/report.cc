#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "report/chapter_figures.h"
#include "report/chapter_html.h"
#include "report/escape_xml.h"
#include "report/html.h"
#include "report/page_style.h"
#include "report/words.h"

namespace vyre::report {
namespace {

std::string id_of_chapter(std::size_t k) { return fmt::format("chapter-{}", k + 1); }

std::string head_html() {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'sha256-{}'\"/>\n"
      "<title>Tuning report</title>\n<style>\n{}{}</style>\n</head>\n",
      page_script_hash(), page_style(), drawing_style());
}

double times_of(const Chapter& chapter) {
  if (chapter.decided) return times_faster(chapter.decided->decision).value_or(0);
  const double tuned = chosen_ns(chapter);
  return tuned > 0 ? default_ns(chapter) / tuned : 0;
}

std::vector<HtmlCell> summary_row(const Chapter& chapter) {
  const auto failed = std::ranges::count(chapter.entrants, Ending::failed, &Entrant::ending);
  const auto tried =
      std::ranges::count_if(chapter.entrants, [](const Entrant& e) { return e.place > 0; });
  const double times = times_of(chapter);
  const auto count = [](auto number) {
    return HtmlCell{std::to_string(number), static_cast<double>(number)};
  };
  return {
      {chapter.title},
      {chapter.device},
      {time_text(default_ns(chapter)), default_ns(chapter)},
      {time_text(chosen_ns(chapter)), chosen_ns(chapter)},
      times > 0 ? HtmlCell{fmt::format("{:.2f} ×", times), times} : HtmlCell{},
      count(tried),
      count(failed),
      chapter.seconds > 0 ? HtmlCell{seconds_text(chapter.seconds), chapter.seconds} : HtmlCell{}};
}

std::string summary_html(std::span<const Chapter> chapters) {
  HtmlTable table{.caption = "All of this report, side by side",
                  .columns = {{"program"},
                              {"device"},
                              {"default", true},
                              {"tuned", true},
                              {"gain", true},
                              {"tried", true},
                              {"failed", true},
                              {"clock", true}},
                  .is_sortable = true};
  for (const Chapter& chapter : chapters) table.rows.push_back(summary_row(chapter));
  return to_html(table);
}

Config chosen_config(const Chapter& chapter) {
  if (chapter.decided) return chapter.decided->decision.config;
  const Entrant* chosen = chosen_of(chapter);
  return chosen != nullptr ? config_of(chapter, *chosen) : Config{};
}

// Each once, in the order in which they are first met.
std::vector<std::string> parameter_names(std::span<const Chapter> chapters) {
  std::set<std::string> known;
  std::vector<std::string> out;
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second) out.push_back(name);
  };
  for (const Chapter& chapter : chapters) {
    for (const space::Parameter& parameter : chapter.parameters) add(parameter.name);
    if (!chapter.decided) continue;
    for (const auto& [name, value] : chapter.decided->decision.config.entries()) add(name);
  }
  return out;
}

// The chosen values of campaigns that share parameters: one kernel on several devices, or in
// several sizes.
std::string choices_html(std::span<const Chapter> chapters) {
  constexpr std::size_t kMostColumns = 12;
  constexpr std::size_t kMostNamed = 100;
  const auto shown = chapters.first(std::min(chapters.size(), kMostColumns));
  const std::vector<std::string> names = parameter_names(shown);
  HtmlTable table{.caption = "What was chosen, for each parameter", .columns = {{"parameter"}}};
  if (names.size() > kMostNamed) {
    table.caption =
        fmt::format("What was chosen, for the first {} of {} parameters", kMostNamed, names.size());
  }
  std::vector<Config> configs;
  for (const Chapter& chapter : shown) {
    configs.push_back(chosen_config(chapter));
    table.columns.push_back(
        {chapter.device.empty() ? chapter.title : chapter.title + " on " + chapter.device});
  }
  bool is_shared = false;
  for (const std::string& name : names | std::views::take(kMostNamed)) {
    std::vector<HtmlCell> row{{name}};
    std::size_t known = 0;
    for (const Config& config : configs) {
      const Value* value = config.find(name);
      known += value != nullptr ? 1 : 0;
      row.push_back({value != nullptr ? value_text(*value) : ""});
    }
    is_shared = is_shared || known > 1;
    table.rows.push_back(std::move(row));
  }
  return is_shared ? to_html(table) : "";
}

std::string comparison_html(std::span<const Chapter> chapters) {
  std::string out = "<section>\n" + heading(2, "Side by side") + summary_html(chapters);
  const Figure figure = comparison_figure(chapters);
  if (!figure.panels.empty()) {
    out += figure_html(
        to_svg(figure, Form::page), "How fast each search found its fastest configuration.",
        chapters.size() > kInks ? fmt::format("The first {} of {}.", kInks, chapters.size()) : "");
  }
  return out + choices_html(chapters) + "</section>\n";
}

std::string contents_html(std::span<const Chapter> chapters) {
  std::string out = "<nav aria-label=\"Contents\">\n<ul>\n";
  for (std::size_t k = 0; k < chapters.size(); ++k) {
    const Chapter& chapter = chapters[k];
    const std::string name =
        chapter.device.empty() ? chapter.title : chapter.title + ", " + chapter.device;
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id_of_chapter(k),
                       escape_xml(cut(name, 120 * kCharacter)));
  }
  return out + "</ul>\n</nav>\n";
}

// How many configurations a chapter lists, so that the tables of the whole page stay within some
// 10 MB: a browser takes seconds for more.
std::size_t rows_of(std::size_t chapters, std::size_t most_rows) {
  constexpr std::size_t kMostOnPage = 6000;
  constexpr std::size_t kFewest = 50;
  return std::min(most_rows, std::max(kFewest, kMostOnPage / std::max<std::size_t>(chapters, 1)));
}

}  // namespace

std::string html_of(std::span<const Chapter> chapters, const ReportOptions& options) {
  std::string out = head_html() + "<body>\n<header>\n" + heading(1, "Tuning report");
  for (const std::string& note : options.notes) out += paragraph(note, "quiet");
  if (chapters.empty()) out += paragraph("There is nothing to show.");
  if (chapters.size() > 1) out += contents_html(chapters);
  out += "</header>\n<main>\n";
  if (chapters.size() > 1) out += comparison_html(chapters);
  for (std::size_t k = 0; k < chapters.size(); ++k) {
    out += to_html(chapters[k], id_of_chapter(k), rows_of(chapters.size(), options.most_rows));
  }
  out += "</main>\n";
  if (!options.version.empty()) {
    out +=
        "<footer>\n" + paragraph("Made by vyre " + options.version + ".", "quiet") + "</footer>\n";
  }
  return out + fmt::format("<script>{}</script>\n</body>\n</html>\n", page_script());
}

}  // namespace vyre::report
