// The figures of `vyre replay --plot` and `vyre explain --plot`, as SVG.

#include "report/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "report/campaign_plot.h"
#include "report/convergence.h"
#include "report/escape_xml.h"
#include "testing/landscapes.h"
#include "testing/xml.h"

namespace vyre::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t out = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos;
       at = text.find(what, at + what.size())) {
    ++out;
  }
  return out;
}

void expect_sound(const std::string& svg) {
  EXPECT_EQ(testing::xml_problem(svg), "");
  EXPECT_THAT(svg, HasSubstr("@media (prefers-color-scheme:dark)"));
  for (const char* never : {"nan", "inf", "-0 ", "http://fonts", "<script", "url("}) {
    EXPECT_THAT(svg, Not(HasSubstr(never)));
  }
}

TEST(XmlProblem, FindsWhatIsWrong) {
  EXPECT_EQ(testing::xml_problem("<a b=\"&amp;\"><c/>x &lt; y</a>\n"), "");
  for (const char* wrong : {"", "x", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a>&</a>", "<a b=c/>",
                            "<a><</a>", "<a>\x01</a>"}) {
    EXPECT_NE(testing::xml_problem(wrong), "") << wrong;
  }
}

TEST(EscapeXml, HoldsAnyBytes) {
  const struct {
    std::string_view text, escaped;
  } cases[] = {
      {"a < b & \"c\" > d", "a &lt; b &amp; &quot;c&quot; &gt; d"},
      {"12 µs … 𝛼", "12 µs … 𝛼"},
      {"two\nlines\tand", "two lines and"},
      {std::string_view("\x00\x1b", 2), "\ufffd\ufffd"},
      {"\xff\xc3", "\ufffd\ufffd"},
      {"\xc0\xaf", "\ufffd\ufffd"},    // overlong
      {"\xed\xa0\x80", "\ufffd"},      // a surrogate
      {"\xef\xbf\xbf", "\ufffd"},      // no character
      {"\xf4\x90\x80\x80", "\ufffd"},  // beyond the last
      {"\xe2\x82", "\ufffd\ufffd"},    // cut
  };
  for (const auto& [text, escaped] : cases) EXPECT_EQ(escape_xml(text), escaped);
}

TEST(Ticks, AreRoundAndOnTheAxis) {
  EXPECT_THAT(ticks_of({"", 0, 1}), ElementsAre(0, 0.2, 0.4, 3 * 0.2, 0.8, 1));
  EXPECT_THAT(ticks_of({"", 0.7, 1}).size(), ::testing::AllOf(::testing::Ge(3), ::testing::Le(7)));
  EXPECT_THAT(ticks_of({"", 1, 150, Scale::logarithmic}), ElementsAre(1, 2, 5, 10, 20, 50, 100));
  EXPECT_THAT(ticks_of({"", 0.05, 1e4, Scale::logarithmic}),
              ElementsAre(0.1, 1, 10, 100, 1000, 10000));
  for (const auto& [low, high] : {std::pair(1e-9, 1e9), {1.01, 1.02}, {3, 4000}, {0.99, 8}}) {
    for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
      const auto ticks = ticks_of({"", low, high, scale});
      EXPECT_GE(ticks.size(), 2U) << low << " " << high;
      EXPECT_LE(ticks.size(), 12U) << low << " " << high;
      EXPECT_TRUE(std::ranges::is_sorted(ticks));
    }
  }
}

TEST(Ticks, OfCountsAreWhole) {
  EXPECT_THAT(ticks_of({.low = 0, .high = 2, .is_count = true}), ElementsAre(0, 1, 2));
  EXPECT_THAT(ticks_of({.low = 0, .high = 1, .is_count = true}), ElementsAre(0, 1));
  for (const double high : {2.0, 3.0, 7.0, 61.0, 1e6}) {
    for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
      const double low = scale == Scale::linear ? 0 : 0.5;
      for (const double tick : ticks_of({"", low, high, scale, true})) {
        EXPECT_EQ(tick, std::round(tick)) << high;
      }
    }
  }
}

TEST(AxisAround, IsWiderThanItsValues) {
  for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
    for (const auto& [low, high] : {std::pair(1.0, 1.0), {0.5, 2.0}, {1e-6, 1e6}}) {
      const Axis axis = axis_around("ms", low, high, scale);
      EXPECT_LT(axis.low, low);
      EXPECT_GT(axis.high, high);
      EXPECT_GE(ticks_of(axis).size(), 2U);
    }
  }
  EXPECT_LT(axis_around("", 0, 0, Scale::linear).low, 0);
}

TEST(Figure, EscapesCutsAndLeavesOut) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::string hostile = "<b>\"&\x01 " + std::string(200, 'x');
  Figure figure{.title = hostile, .caption = hostile + "\nsecond line"};
  figure.panels = {{.title = hostile,
                    .x = {"x", 0, 1},
                    .y = {hostile, 0, 1},
                    .series = {{.label = "a",
                                .points = {{0, 0.5}, {kNone, 1}, {1, kNone}, {0.5, 1e300}},
                                .band = {{0, 0, 1}, {0.5, kNone, 1}}},
                               {.label = "a", .draw = Draw::dots, .points = {{0, 1}}},
                               {.draw = Draw::crosses, .points = {}}}}};
  const std::string svg = to_svg(figure);
  expect_sound(svg);
  EXPECT_EQ(svg, to_svg(figure)) << "the same every time";
  EXPECT_EQ(count(svg, ">a</text>"), 1U) << "once in the legend";
  EXPECT_THAT(svg, HasSubstr("…</text>")) << "too long for the panel";
  EXPECT_THAT(svg, HasSubstr(">second line</text>"));
  expect_sound(to_svg(Figure{.title = "nothing to show"}));
}

TEST(Convergence, HasACurveAndABandPerStrategyAndRandomSearch) {
  const auto recording = testing::small_landscape();
  const auto device = Replay::make(recording);
  const auto yardstick = Yardstick::make(recording, 50);
  ASSERT_TRUE(device && yardstick);
  SpaceRuns space{"small", &*yardstick};
  for (const char* strategy : {"local", "random", "exhaustive"}) {
    StrategyRuns& runs = space.strategies.emplace_back(StrategyRuns{strategy, {}});
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      runs.runs.push_back(*run_replay(*device, strategy, {.seed = seed}, 60));
    }
  }
  const Figure figure = convergence(std::vector{space, space}, 60);
  ASSERT_EQ(figure.panels.size(), 2U);
  ASSERT_EQ(figure.panels[0].series.size(), 3U) << "random search is the exact one";
  for (const Series& series : figure.panels[0].series) {
    ASSERT_EQ(series.points.size(), 60U) << series.label;
    for (std::size_t t = 0; t < 60; ++t) {
      EXPECT_LE(series.band[t].low, series.points[t].y);
      EXPECT_GE(series.band[t].high, series.points[t].y);
      EXPECT_LE(series.band[t].high, 1);
      EXPECT_GE(series.points[t].y, series.points[t == 0 ? 0 : t - 1].y) << series.label;
    }
  }
  const std::string svg = to_svg(figure);
  expect_sound(svg);
  EXPECT_EQ(count(svg, "class=\"band"), 6U);
  EXPECT_EQ(count(svg, "class=\"line"), 6U + 3U) << "and three in the legend";
  EXPECT_EQ(count(svg, ">evaluations</text>"), 2U);
  EXPECT_EQ(count(svg, ">best so far, fraction of optimum</text>"), 2U);
  for (const char* label :
       {">local</text>", ">exhaustive</text>", ">random search, exact</text>"}) {
    EXPECT_EQ(count(svg, label), 1U) << label;
  }
}

JournalLine line(Step step, std::uint64_t index, double time_ms, Status status = Status::ok) {
  return {entry_of(step), {{step, index}, {.status = status, .time_ms = time_ms}}};
}

// The default takes 4 ms, 7 takes 1 ms, 9 is far slower than both, 3 does not compile.
History small_history() {
  ReadJournal journal{"name=<twice> program=aa default=5 strategy=natural seed=1", {}};
  const auto enters = [&](std::uint64_t index, double ms, int samples) {
    journal.lines.push_back(line(Step::admit, index, 0));
    for (int k = 0; k < samples; ++k) journal.lines.push_back(line(Step::sample, index, ms));
  };
  enters(5, 4, 4);
  enters(7, 1, 5);
  journal.lines.push_back(line(Step::admit, 3, 0, Status::compile));
  enters(9, 400, 1);
  return *history_of(journal);
}

TEST(CampaignFigure, ShowsSamplesDropsAndFailures) {
  const Figure figure = campaign_figure(small_history());
  ASSERT_EQ(figure.panels.size(), 3U);
  const std::string svg = to_svg(figure);
  expect_sound(svg);
  for (const char* text :
       {">&lt;twice&gt;: a campaign's samples in order", ">default: 4 ms</text>",
        ">the default's samples</text>", ">winner: 1 ms, 4.00 x</text>", ">dropped here</text>",
        ">failed: compile</text>", ">fastest so far</text>", ">samples taken</text>",
        ">time (ms)</text>", "3 configurations ran, 10 samples", "1 failed", "Strategy natural."}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  EXPECT_EQ(count(svg, "l6 6m0-6l-6 6"), 2U + 1U) << "dropped: 5 and 9; legend: 1";
}

const Series& series_called(const Panel& panel, std::string_view label) {
  const auto found = std::ranges::find(panel.series, label, &Series::label);
  EXPECT_NE(found, panel.series.end()) << label;
  return *found;
}

// Its first sample is lucky, and its estimate rises with each of the next.
TEST(CampaignFigure, TheFastestSoFarNeverRises) {
  ReadJournal journal{"name=lucky default=5 strategy=natural", {}};
  for (const auto& [index, times] : {std::pair<std::uint64_t, std::vector<double>>{5, {4, 4, 4}},
                                     {7, {1, 3, 3, 3, 3}},
                                     {8, {2.5, 2.5, 2.5}}}) {
    journal.lines.push_back(line(Step::admit, index, 0));
    for (const double ms : times) journal.lines.push_back(line(Step::sample, index, ms));
  }
  const Figure figure = campaign_figure(*history_of(journal));
  const auto& points = series_called(figure.panels[0], "fastest so far").points;
  ASSERT_EQ(points.size(), 11U);
  for (std::size_t k = 1; k < points.size(); ++k) EXPECT_LE(points[k].y, points[k - 1].y) << k;
  EXPECT_EQ(points.front().y, 4);
  EXPECT_EQ(points.back().y, 2.5);
}

TEST(CampaignFigure, CountsFailuresOfEachKindSoThatNoneHidesAnother) {
  ReadJournal journal{"name=x default=5 strategy=natural", {}};
  journal.lines.push_back(line(Step::admit, 5, 0));
  journal.lines.push_back(line(Step::sample, 5, 4));
  for (std::uint64_t index = 10; index < 17; ++index) {
    const Status status = index < 15 ? Status::compile : Status::correctness;
    journal.lines.push_back(line(Step::admit, index, 0, status));
  }
  const Figure figure = campaign_figure(*history_of(journal));
  ASSERT_EQ(figure.panels.size(), 3U);
  EXPECT_EQ(series_called(figure.panels[2], "failed: compile").points.back().y, 5);
  EXPECT_EQ(series_called(figure.panels[2], "failed: correctness").points.back().y, 2);
  EXPECT_GE(figure.panels[2].y.high, 6);
  EXPECT_EQ(campaign_figure(small_history()).panels[0].x.is_count, true);
}

}  // namespace
}  // namespace vyre::report
