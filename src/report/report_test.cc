// Whole pages: well formed whatever they tell, and with all their parts.

#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/chapter_figures.h"
#include "report/page_style.h"
#include "report/recording_chapter.h"
#include "testing/landscapes.h"
#include "testing/xml.h"

namespace vyre::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t occurrences(std::string_view text, std::string_view what) {
  std::size_t out = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos;
       at = text.find(what, at + 1)) {
    ++out;
  }
  return out;
}

// Pages are XML as well, but for the line that says that they are HTML.
void expect_page(const std::string& html) {
  constexpr std::string_view kDoctype = "<!doctype html>\n";
  ASSERT_TRUE(html.starts_with(kDoctype));
  EXPECT_EQ(testing::xml_problem(html.substr(kDoctype.size())), "");
  EXPECT_EQ(occurrences(html, "<script"), 1U);
  EXPECT_EQ(occurrences(html, "<h1"), 1U);
  for (const char* never : {"http://", "https://", "url(", "@import", " src=", "nan", "inf "}) {
    EXPECT_THAT(html, Not(HasSubstr(never)));
  }
}

// Each heading is at most one level below the one before.
void expect_headings_in_order(std::string_view html) {
  int level = 0;
  for (std::size_t at = html.find("<h"); at != std::string_view::npos;
       at = html.find("<h", at + 1)) {
    const char digit = html[at + 2];
    if (digit < '1' || digit > '6') continue;
    EXPECT_LE(digit - '0', level + 1) << html.substr(at, 40);
    level = digit - '0';
  }
}

Chapter small_chapter(const std::string& name = "small") {
  return chapter_of(testing::small_landscape(), name, name + ".json");
}

TEST(Report, OfARecordingHasAllParts) {
  const Chapter chapter = small_chapter();
  const std::string html = html_of(std::vector{chapter}, {.version = "1.2.3"});
  expect_page(html);
  expect_headings_in_order(html);
  for (const char* part :
       {"How the search went", "What each parameter is worth", "The strongest pairs",
        "Samples of the finalists", "Failures by kind", "Every configuration", "What is not known",
        "Made by vyre 1.2.3.", "name=\"viewport\"", "prefers-color-scheme:dark"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
  EXPECT_THAT(html, Not(HasSubstr("Side by side")));
  EXPECT_EQ(occurrences(html, "<tr><th scope=\"row\" class=\"number\""), chapter.entrants.size());
  EXPECT_EQ(occurrences(html, "<svg"), occurrences(html, "role=\"img\" aria-label="));
  EXPECT_GE(occurrences(html, "<svg"), 6U);
  EXPECT_EQ(html, html_of(std::vector{chapter}, {.version = "1.2.3"})) << "the same every time";
}

TEST(Report, AllowsNoScriptButItsOwn) {
  EXPECT_THAT(html_of({}), HasSubstr("content=\"default-src 'none'; style-src 'unsafe-inline'; "
                                     "script-src 'sha256-" +
                                     std::string(page_script_hash())));
}

TEST(Report, EscapesEverythingFromOutside) {
  const std::string hostile = "</script><script>alert(1)</script><b title=\"x\" '&\x01\xff\n";
  Chapter chapter{.title = hostile, .device = hostile, .source = hostile};
  chapter.decided = Listed{.file = hostile, .identity_id = hostile};
  chapter.decided->identity = {hostile, hostile, hostile, hostile, hostile};
  chapter.decided->decision = {.program = hostile,
                               .config = {{hostile, hostile}},
                               .space = hostile,
                               .elapsed = {1, 1, 1},
                               .default_elapsed = {2, 2, 2},
                               .strategy = hostile,
                               .version = hostile};
  chapter.about = {{hostile, hostile}};
  chapter.notes = {hostile};
  chapter.parameters = {{hostile, {hostile, std::string("b")}}, {"b", {hostile, std::string("c")}}};
  chapter.time = {{hostile, 1}};
  for (std::uint32_t k = 0; k < 8; ++k) {
    chapter.entrants.push_back({.index = k,
                                .point = {k % 2, k / 2 % 2},
                                .ending = k < 4 ? Ending::measured : Ending::failed,
                                .status = k < 4 ? Status::ok : Status::compile,
                                .why = hostile,
                                .elapsed = {1.0 + k, 1.0 + k, 1.0 + k},
                                .samples_ns = {1.0 + k},
                                .at_seconds = 1.0 * k,
                                .place = k + 1,
                                .timestamp = hostile});
  }
  chapter.seconds = 8;
  const std::vector chapters{chapter, chapter};
  const std::string html = html_of(chapters, {.version = hostile, .notes = {hostile}});
  expect_page(html);
  EXPECT_THAT(html, Not(HasSubstr("<b ")));
  EXPECT_THAT(html, Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(html, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)"));
}

TEST(Report, OfNothingSaysSo) {
  expect_page(html_of({}));
  EXPECT_THAT(html_of({}), HasSubstr("There is nothing to show."));
  const std::string empty = html_of(std::vector{Chapter{.title = "empty"}});
  expect_page(empty);
  EXPECT_THAT(empty, HasSubstr("Nothing was tried yet."));
  EXPECT_EQ(occurrences(empty, "<svg"), 0U);
}

TEST(Report, OfOneEvaluationIsWhole) {
  Chapter chapter{.title = "one", .parameters = {{"a", {std::int64_t{1}}}}, .seconds = 2};
  chapter.entrants = {{.point = {0},
                       .ending = Ending::chosen,
                       .is_default = true,
                       .elapsed = {5e6, 5e6, 5e6},
                       .samples_ns = {5e6},
                       .at_seconds = 2,
                       .place = 1}};
  const std::string html = html_of(std::vector{chapter});
  expect_page(html);
  expect_headings_in_order(html);
  EXPECT_THAT(html, HasSubstr("It takes 5 ms, 1.00 times the default's speed"));
  EXPECT_THAT(html, Not(HasSubstr("What each parameter is worth")));
}

TEST(Report, OfFailuresOnlyNamesTheirKinds) {
  Chapter chapter{.title = "bad", .parameters = {{"a", {std::int64_t{1}, std::int64_t{2}}}}};
  for (std::uint32_t k = 0; k < 30; ++k) {
    chapter.entrants.push_back({.index = k,
                                .point = {k % 2},
                                .ending = Ending::failed,
                                .status = k % 3 == 0 ? Status::timeout : Status::compile,
                                .why = k % 3 == 0 ? "" : "reason " + std::to_string(k),
                                .place = k + 1});
  }
  const std::string html = html_of(std::vector{chapter});
  expect_page(html);
  EXPECT_THAT(html, HasSubstr("Nothing was measured."));
  EXPECT_THAT(html, HasSubstr("timeout: 10, compile: 20; the 20 most frequent of 21 reasons"));
  EXPECT_THAT(html, HasSubstr("no more is recorded"));
}

TEST(Report, PutsSeveralSideBySide) {
  const std::vector chapters{small_chapter("first"), small_chapter("second"),
                             small_chapter("third")};
  const std::string html = html_of(chapters);
  expect_page(html);
  expect_headings_in_order(html);
  EXPECT_THAT(html, HasSubstr("<h2>Side by side</h2>"));
  EXPECT_THAT(html, HasSubstr("What was chosen, for each parameter"));
  for (const char* link : {"href=\"#chapter-1\"", "id=\"chapter-3\""})
    EXPECT_THAT(html, HasSubstr(link));
}

TEST(Report, ListsAsManyRowsAsAsked) {
  const std::string html = html_of(std::vector{small_chapter()}, {.most_rows = 10});
  EXPECT_THAT(html,
              HasSubstr("The first 10 of 120 configurations: the fastest, then those that failed"));
  EXPECT_EQ(occurrences(html, "<tr><th scope=\"row\" class=\"number\""), 10U);
}

// As many parameters as a T4 file may have, and more rows than anybody reads.
Chapter large_chapter() {
  constexpr std::uint32_t kParameters = 1000;
  Chapter chapter{.title = "large"};
  for (std::uint32_t p = 0; p < kParameters; ++p) {
    chapter.parameters.push_back(
        {"parameter_" + std::to_string(p), {std::int64_t{1}, std::int64_t{2}}});
    chapter.about.push_back({"word", std::string(100'000, 'x')});
    chapter.notes.emplace_back("a warning");
  }
  for (std::uint32_t k = 0; k < 2000; ++k) {
    space::Point point(kParameters);
    for (std::uint32_t p = 0; p < kParameters; ++p) point[p] = (k >> (p % 13)) & 1U;
    const double ns = 1e6 * (1 + k % 97);
    chapter.entrants.push_back({.index = k,
                                .point = std::move(point),
                                .ending = k == 0 ? Ending::fastest : Ending::measured,
                                .elapsed = {ns, ns, ns},
                                .samples_ns = std::vector<double>(20, ns),
                                .at_seconds = 0.1 * k,
                                .place = k + 1});
  }
  chapter.seconds = 500;
  return chapter;
}

TEST(Report, OfThousandsOfParametersAndRowsSaysWhatItLeavesOut) {
  const Chapter chapter = large_chapter();
  const std::string html =
      html_of(std::vector{chapter, chapter, small_chapter("a"), small_chapter("b")});
  expect_page(html);
  EXPECT_LT(html.size(), 10'000'000U);
  for (const char* text :
       {"The first 1500 of 2000 configurations: the fastest, then those that failed; the 40 of "
        "1000 parameters that explain most",
        "The 100 of 1000 parameters that explain most",
        "Pairs of the 40 parameters that explain most were looked at.",
        "What was chosen, for the first 100 of 1004 parameters", "900 more words are in the file",
        "And 980 more of this kind."}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
}

TEST(Figure, DrawsMarksThatCoverEachOtherOnce) {
  Series dots{.ink = Ink::blue, .draw = Draw::dots};
  for (int k = 0; k < 50'000; ++k) dots.points.push_back({k / 50'000.0, k % 2 == 0 ? 0.2 : 0.8});
  const Figure figure{
      .title = "many",
      .panels = {{.title = "", .x = {"", 0, 1}, .y = {"", 0, 1}, .series = {dots}}}};
  EXPECT_LT(to_svg(figure).size(), 20'000U);
  EXPECT_GT(occurrences(to_svg(figure), "h0"), 500U) << "both rows, pixel by pixel";
}

TEST(ProgressFigure, NeverRisesAndEndsWithTheFastest) {
  const Chapter chapter = small_chapter();
  const Figure figure = progress_figure(chapter, Against::evaluations);
  ASSERT_EQ(figure.panels.size(), 1U);
  const auto& points = figure.panels[0].series.back().points;
  for (std::size_t k = 1; k < points.size(); ++k) EXPECT_LE(points[k].y, points[k - 1].y);
  EXPECT_DOUBLE_EQ(points.back().y, chosen_ns(chapter) / 1e6);
  EXPECT_EQ(points.back().x, 120);
}

}  // namespace
}  // namespace vyre::report
