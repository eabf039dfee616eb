#include "report/chapter_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>

#include "report/campaign_plot.h"
#include "report/chapter_figures.h"
#include "report/entrants_html.h"
#include "report/html.h"
#include "report/svg.h"
#include "report/words.h"

namespace vyre::report {
namespace {

constexpr std::size_t kLongestSide = 24;  // of a heatmap, in each direction
constexpr std::size_t kMostTabled = 40;   // parameters that the table of configurations has
constexpr std::size_t kMostEffects = 100;
constexpr std::size_t kMostFacts = 100;
constexpr double kMostOfFact = 2000;  // characters
constexpr std::size_t kMostNotes = 20;

std::string if_drawn(const Figure& figure, std::string_view title, std::string_view caption = "") {
  return figure.panels.empty() ? "" : figure_html(to_svg(figure, Form::page), title, caption);
}

std::string if_drawn(const Bars& bars, std::string_view title, std::string_view caption = "") {
  return bars.bars.empty() ? "" : figure_html(to_svg(bars, Form::page), title, caption);
}

// A section is left out where there is nothing in it.
std::string section(std::string_view title, std::string_view introduction,
                    const std::string& body) {
  if (body.empty()) return "";
  const std::string first = introduction.empty() ? "" : paragraph(introduction, "quiet");
  return heading(3, title) + first + body;
}

std::string side_by_side(const std::string& figures) {
  return figures.empty() ? "" : "<div class=\"figures\">\n" + figures + "</div>\n";
}

std::string decision_html(const Chapter& chapter) {
  std::string out;
  if (chapter.decided) {
    out += section("What was decided, and why", "The same as `vyre explain` says.",
                   to_html(facts_of(*chapter.decided)));
  }
  std::vector<Fact> about = chapter.about;
  for (Fact& fact : about) fact.text = cut(fact.text, kMostOfFact * kCharacter);
  if (about.size() > kMostFacts) {
    const std::size_t more = about.size() - kMostFacts;
    about.resize(kMostFacts);
    about.push_back({"and more", fmt::format("{} more words are in the file", more)});
  }
  if (!chapter.source.empty()) about.push_back({"file", chapter.source});
  if (about.empty()) return out;
  return out + "<details>\n<summary>The campaign's own words</summary>\n" + to_html(about) +
         "</details>\n";
}

std::string progress_html(const Chapter& chapter) {
  const std::string figures =
      if_drawn(progress_figure(chapter, Against::evaluations),
               "Against evaluations:", "configurations with a result, failures included.") +
      if_drawn(progress_figure(chapter, Against::seconds), "Against seconds,",
               "from the beginning of the campaign.");
  return section(
      "How the search went",
      "The time of the fastest configuration that was found so far. Each counts with the "
      "time that it has at the end, from its first sample on.",
      side_by_side(figures));
}

HtmlTable effects_table(const Chapter& chapter, const Effects& effects) {
  const std::size_t all = effects.parameters.size();
  HtmlTable out{
      .caption = all <= kMostEffects
                     ? "Parameters, by what they explain"
                     : fmt::format("The {} of {} parameters that explain most", kMostEffects, all),
      .columns = {{"parameter"},
                  {"explains", true},
                  {"fastest value"},
                  {"slowest value"},
                  {"apart", true},
                  {"values tried", true}}};
  for (const ParameterEffect& effect : effects.parameters | std::views::take(kMostEffects)) {
    const space::Parameter& parameter = chapter.parameters[effect.parameter];
    const auto tried = std::ranges::count_if(
        effect.values, [](const ValueEffect& v) { return v.count + v.failed > 0; });
    const bool is_known = effect.values.size() > 1 && effects.configurations > 0;
    out.rows.push_back({{parameter.name},
                        {fmt::format("{:.1f} %", 100 * effect.share), effect.share},
                        {is_known ? value_text(parameter.values[effect.best]) : ""},
                        {is_known ? value_text(parameter.values[effect.worst]) : ""},
                        {fmt::format("{:.2f} ×", effect.times), effect.times},
                        {std::to_string(tried), static_cast<double>(tried)}});
  }
  return out;
}

std::string about_fit(const Effects& effects) {
  return fmt::format(
      "From the {} configurations that were measured: an additive fit of the logarithm of their "
      "times (the search's own model is not kept in any file). Of configurations that it was not "
      "fitted to, this fit predicts {:.0f} % of the differences{}. Below single parameters: the "
      "time with each value as a multiple of that with its best one, all other parameters alike; "
      "in brackets how many configurations had it.",
      effects.configurations, 100 * effects.predicted,
      effects.predicted < 0.3 ? ", which is little: take the shares as a guess" : "");
}

std::string effects_html(const Chapter& chapter, const Effects& effects) {
  constexpr std::size_t kMostShown = 4;
  constexpr std::size_t kMostBars = 16;
  if (chapter.parameters.empty() || effects.configurations < 2) return "";
  std::string figures =
      if_drawn(parameter_bars(chapter, effects),
               "All parameters:", "the share of the differences in time that each explains.");
  std::size_t shown = 0;
  for (const ParameterEffect& effect : effects.parameters) {
    const auto measured =
        static_cast<std::size_t>(std::ranges::count_if(effect.values, &ValueEffect::count));
    if (measured < 2 || measured > kMostBars || shown == kMostShown) continue;
    ++shown;
    figures += if_drawn(value_bars(chapter, effect), chapter.parameters[effect.parameter].name);
  }
  return section("What each parameter is worth", about_fit(effects),
                 side_by_side(figures) + to_html(effects_table(chapter, effects)));
}

// The pairs that predict most; where there are none, those of the parameters that explain most.
std::vector<PairEffect> shown_pairs(const Chapter& chapter, const Effects& effects) {
  constexpr std::size_t kMostPairs = 3;
  const auto fits = [&](std::size_t p) {
    const std::size_t values = chapter.parameters[p].values.size();
    return values > 1 && values <= kLongestSide;
  };
  std::vector<PairEffect> out;
  for (const PairEffect& pair : effects.pairs) {
    if (fits(pair.first) && fits(pair.second) && out.size() < kMostPairs) out.push_back(pair);
  }
  std::vector<std::size_t> largest;
  for (const ParameterEffect& e : effects.parameters) {
    if (fits(e.parameter) && largest.size() < 2) largest.push_back(e.parameter);
  }
  if (out.empty() && largest.size() == 2) out.push_back({largest[0], largest[1], 0});
  return out;
}

std::string pairs_html(const Chapter& chapter, const Effects& effects) {
  if (effects.configurations < 2) return "";
  std::string figures;
  for (const PairEffect& pair : shown_pairs(chapter, effects)) {
    // The longer list goes down, so that the cells are wide enough for their numbers.
    const bool swaps = chapter.parameters[pair.first].values.size() <
                       chapter.parameters[pair.second].values.size();
    const std::size_t row = swaps ? pair.second : pair.first;
    const std::size_t column = swaps ? pair.first : pair.second;
    const std::string worth =
        pair.share > 0
            ? fmt::format("The pair predicts {:.0f} % of what single parameters leave.",
                          100 * pair.share)
            : "No pair predicts anything beyond single parameters; these two explain most.";
    figures += figure_html(
        to_svg(pair_heatmap(chapter, row, column), Form::page),
        fmt::format("{} and {}.", chapter.parameters[row].name, chapter.parameters[column].name),
        worth);
  }
  std::string introduction =
      "The fastest time that was measured with each two values, as a multiple of the fastest of "
      "all. Dashed: not tried. ×: all that were tried have failed.";
  if (chapter.parameters.size() > kMostPaired) {
    introduction +=
        fmt::format(" Pairs of the {} parameters that explain most were looked at.", kMostPaired);
  }
  return section("The strongest pairs", introduction, side_by_side(figures));
}

std::string race_html(const Chapter& chapter) {
  std::string figures = if_drawn(
      finalists_figure(chapter), "The finalists:",
      "every sample of theirs, in order. Numbers are those of the table of configurations.");
  if (chapter.history) {
    Figure race = campaign_figure(*chapter.history);
    const std::string caption = race.caption;
    race.panel_width = 300;
    figures += figure_html(to_svg(race, Form::page), "The whole campaign.", caption);
  }
  return section("Samples of the finalists, and the race",
                 "Samples that overlap are what a tie looks like.", side_by_side(figures));
}

std::string time_html(const Chapter& chapter) {
  std::string clock;
  if (chapter.seconds > 0) {
    clock = fmt::format("{} on the clock, {} worker(s).", seconds_text(chapter.seconds),
                        chapter.workers);
  }
  return section("Where the time went", clock,
                 if_drawn(time_bars(chapter), "Seconds of all workers together."));
}

std::string notes_html(const Chapter& chapter) {
  if (chapter.notes.empty()) return "";
  std::string out = heading(3, "What is not known");
  for (const std::string& note : chapter.notes | std::views::take(kMostNotes)) {
    out += paragraph(note, "quiet");
  }
  if (chapter.notes.size() > kMostNotes) {
    out += paragraph(fmt::format("And {} more of this kind.", chapter.notes.size() - kMostNotes),
                     "quiet");
  }
  return out;
}

// Those that explain most, in the order of the chapter.
std::vector<std::size_t> tabled_parameters(const Effects& effects) {
  std::vector<std::size_t> out;
  for (const ParameterEffect& effect : effects.parameters | std::views::take(kMostTabled)) {
    out.push_back(effect.parameter);
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

std::string lead_of(const Chapter& chapter) {
  const double tuned = chosen_ns(chapter);
  if (tuned <= 0)
    return chapter.entrants.empty() ? "Nothing was tried yet." : "Nothing was measured.";
  const Entrant* chosen = chosen_of(chapter);
  const Config config = chapter.decided     ? chapter.decided->decision.config
                        : chosen != nullptr ? config_of(chapter, *chosen)
                                            : Config{};
  constexpr double kMostOfConfig = 600;  // the decision below has all of it
  const std::string what = config.empty() ? "the fastest configuration"
                                          : cut(to_string(config), kMostOfConfig * kCharacter);
  const double standard = default_ns(chapter);
  if (standard <= 0) return fmt::format("Fastest: {}, {}.", what, time_text(tuned));
  const auto times =
      chapter.decided ? times_faster(chapter.decided->decision) : std::optional(standard / tuned);
  const std::string verb = chapter.decided ? "Chosen" : "Fastest so far";
  return fmt::format("{}: {}. It takes {}, {:.2f} times the default's speed ({}).", verb, what,
                     time_text(tuned), times.value_or(standard / tuned), time_text(standard));
}

std::string to_html(const Chapter& chapter, std::string_view id, std::size_t most_rows) {
  const Effects effects = effects_of(chapter);
  std::string out = "<section>\n" + heading(2, chapter.title, id);
  if (!chapter.device.empty()) out += paragraph(chapter.device, "quiet");
  out += paragraph(lead_of(chapter), "lead");
  out += decision_html(chapter);
  out += progress_html(chapter);
  out += effects_html(chapter, effects);
  out += pairs_html(chapter, effects);
  out += race_html(chapter);
  out += section("Failures by kind", "", failures_html(chapter));
  out += time_html(chapter);
  out += section("Every configuration", "",
                 entrants_html(chapter, tabled_parameters(effects), most_rows));
  return out + notes_html(chapter) + "</section>\n";
}

}  // namespace vyre::report
